"""Sums of segments given by their offsets; segments may be empty."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void segsum(__global const float *x, __global const int *start, __global float *y, const int segments) {
    const int s = get_global_id(0);
    if (s >= segments) return;
    float sum = 0;
    for (int i = start[s]; i < start[s + 1]; ++i) sum += x[i];
    y[s] = sum;
}
"""
PAIRS = """
__kernel void segsum(__global const float *x, __global const int *start, __global float *y, const int segments) {
    const int s = get_global_id(0);
    if (s >= segments) return;
    const int end = start[s + 1];
    float even = 0, odd = 0;
    int i = start[s];
    for (; i + 1 < end; i += 2) { even += x[i]; odd += x[i + 1]; }
    if (i < end) even += x[i];
    y[s] = even + odd;
}
"""


@hl.kernel(
    problem=dict(segments=800),
    work=lambda p: hl.Work(flops=10 * p.segments, bytes=48 * p.segments),
    awkward=lambda p: [dict(segments=1), dict(segments=17), dict(segments=129)],
    tolerance=hl.Tolerance(terms=lambda p: 24),
    linear=("x",),
)
class segsum:
    def inputs(p, rng):
        start = np.concatenate([[0], np.cumsum(rng.integers(0, 20, p.segments))]).astype("i4")
        x = rng.standard_normal(max(int(start[-1]), 1), "f4")
        return dict(x=x, start=start, y=hl.empty(p.segments), segments=np.int32(p.segments))

    def reference(p, x, start, y, segments):
        return dict(y=np.array([x[a:b].astype("f8").sum() for a, b in zip(start[:-1], start[1:], strict=True)]))

    plain = hl.OpenCL(PLAIN, "segsum", global_size=lambda p, c: (p.segments,))
    pairs = hl.OpenCL(PAIRS, "segsum", global_size=lambda p, c: (p.segments,))


MUTANTS = [
    ("plain", "end", "the end is included", "i < start[s + 1]", "i <= start[s + 1] && i < start[segments]"),
    (
        "plain",
        "empty",
        "an empty segment keeps the first element",
        "float sum = 0;\n    for (int i = start[s]; i < start[s + 1]; ++i)",
        "float sum = x[min(start[s], start[segments] - 1)];\n    for (int i = start[s] + 1; i < start[s + 1]; ++i)",
    ),
    ("plain", "long", "at most sixteen elements", "i < start[s + 1]", "i < min(start[s + 1], start[s] + 16)"),
    ("pairs", "odd", "the last of an odd segment is lost", "    if (i < end) even += x[i];\n", ""),
    ("pairs", "twice", "the last is added always", "if (i < end) even", "if (i <= end && i > start[s]) even"),
    ("pairs", "neighbour", "segments are one element off", "int i = start[s];", "int i = max(start[s] - 1, 0);"),
]
