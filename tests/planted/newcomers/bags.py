"""Sums of rows of a table, picked by bags of indices."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *e, __global const int *ids, __global const int *ptr, __global float *o, const int b, const int d) {
    const int j = get_global_id(0), r = get_global_id(1);
    if (j >= d || r >= b) return;
    float s = 0.0f;
    for (int q = ptr[r]; q < ptr[r + 1]; ++q) s += e[ids[q] * d + j];
    o[r * d + j] = s;
}
"""
ROWS = """
__kernel void k(__global const float *e, __global const int *ids, __global const int *ptr, __global float *o, const int b, const int d) {
    const int r = get_group_id(0), l = get_local_id(0);
    for (int j = l; j < d; j += 16) {
        float s = 0.0f, c = 0.0f;
        for (int q = ptr[r]; q < ptr[r + 1]; ++q) {
            const float y = e[ids[q] * d + j] - c, t = s + y;
            c = (t - s) - y;
            s = t;
        }
        o[r * d + j] = s;
    }
}
"""


@hl.kernel(
    problem=dict(b=200, d=50),
    work=lambda p: hl.Work(flops=10 * p.b * p.d, bytes=40 * p.b * p.d),
    awkward=lambda p: [dict(b=1, d=1), dict(b=33, d=17), dict(b=64, d=16)],
    tolerance=hl.Tolerance(terms=lambda p: 24, absolute=1e-5),
    domain=dict(ids="indices"),
)
class bags:
    def inputs(p, rng):
        ptr = np.concatenate([[0], np.cumsum(rng.integers(0, 20, p.b))]).astype("i4")
        ids = rng.integers(0, 300, max(1, int(ptr[-1])), dtype="i4")
        return dict(
            e=rng.standard_normal((300, p.d), "f4"),
            ids=ids,
            ptr=ptr,
            o=hl.empty((p.b, p.d)),
            b=np.int32(p.b),
            d=np.int32(p.d),
        )

    def reference(p, e, ids, ptr, o, b, d):
        v = e.astype("f8")
        return dict(o=np.array([v[ids[ptr[r] : ptr[r + 1]]].sum(axis=0) for r in range(p.b)]))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.d, p.b))
    rows = hl.OpenCL(ROWS, "k", global_size=lambda p, c: (16 * p.b,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("plain", "bounds", "an index of the next bag", "q < ptr[r + 1]", "q <= ptr[r + 1]"),
    (
        "plain",
        "bounds",
        "empty bags take one",
        "for (int q = ptr[r]; q < ptr[r + 1]; ++q) s +=",
        "for (int q = ptr[r]; q < max(ptr[r + 1], ptr[r] + 1); ++q) s +=",
    ),
    ("plain", "accumulation", "the last instead of the sum", "s += e[", "s = e["),
    ("plain", "index", "rows of another length", "e[ids[q] * d + j]", "e[ids[q] * (d - 1) + j]"),
    ("plain", "narrow", "indices of 8 bits", "e[ids[q] * d", "e[(ids[q] & 255) * d"),
    ("rows", "stride", "columns are left out", "j += 16", "j += 17"),
    ("rows", "start", "the correction is kept", "float s = 0.0f, c = 0.0f;", "float s = 0.0f, c = s + j * 1e-3f;"),
    ("rows", "mean", "the mean", "o[r * d + j] = s;", "o[r * d + j] = s / max(1, ptr[r + 1] - ptr[r]);"),
]
