"""Rows are clamped to their mean plus and minus k standard deviations; one group a row."""

import numpy as np

import hotloop as hl

GROUP = """
float summed(__local float *part, const float value, const int t) {
    part[t] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float all = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}
__kernel void winsor(__global const float *x, __global float *y, const float k, const int n) {
    __local float part[WG];
    const int row = get_group_id(0), t = get_local_id(0);
    float sum = 0, squares = 0;
    for (int j = t; j < n; j += WG) sum += x[row * n + j];
    const float mean = summed(part, sum, t) / n;
    for (int j = t; j < n; j += WG) { const float d = x[row * n + j] - mean; squares = fma(d, d, squares); }
    const float off = k * sqrt(summed(part, squares, t) / n);
    for (int j = t; j < n; j += WG) y[row * n + j] = clamp(x[row * n + j], mean - off, mean + off);
}
"""
ITEM = """
__kernel void winsor(__global const float *x, __global float *y, const float k, const int n) {
    const int row = get_global_id(0);
    float sum = 0, squares = 0;
    for (int j = 0; j < n; ++j) sum += x[row * n + j];
    const float mean = sum / n;
    for (int j = 0; j < n; ++j) squares += (x[row * n + j] - mean) * (x[row * n + j] - mean);
    const float off = k * sqrt(squares / n);
    for (int j = 0; j < n; ++j) y[row * n + j] = fmin(fmax(x[row * n + j], mean - off), mean + off);
}
"""


@hl.kernel(
    problem=dict(m=60, n=333),
    work=lambda p: hl.Work(flops=5 * p.m * p.n, bytes=8 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=5, n=63), dict(m=3, n=130)],
    tolerance=hl.Tolerance(terms=lambda p: p.n + 8),
)
class winsor:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.m, p.n), "f4"), y=hl.empty((p.m, p.n), "f4"), k=1.5, n=p.n)

    def reference(p, x, y, k, n):
        d = x.astype("f8")
        mean, off = d.mean(1, keepdims=True), np.float32(k) * d.std(1, keepdims=True)
        return dict(y=np.clip(d, mean - off, mean + off))

    def magnitude(p, x, y, k, n):
        d = abs(x).astype("f8")
        return dict(y=d + d.mean(1, keepdims=True) + abs(k) * np.sqrt((d * d).mean(1, keepdims=True)))

    group = hl.OpenCL(
        GROUP, "winsor", dict(WG=[32]), global_size=lambda p, c: (p.m * c.WG,), local_size=lambda p, c: (c.WG,)
    )
    item = hl.OpenCL(ITEM, "winsor", global_size=lambda p, c: (p.m,))


MUTANTS = [
    (
        "group",
        "barrier",
        "no barrier before the sums are used again",
        "    const float all = part[0];\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "    const float all = part[0];",
    ),
    (
        "group",
        "barrier",
        "no barrier in the tree",
        "if (t < s) part[t] += part[t + s];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "if (t < s) part[t] += part[t + s];",
    ),
    (
        "group",
        "tail",
        "the last part of the squares is lost",
        "for (int j = t; j < n; j += WG) { const float d",
        "for (int j = t; j < n / WG * WG; j += WG) { const float d",
    ),
    ("group", "divisor", "the sample's deviation", "squares, t) / n", "squares, t) / max(1, n - 1)"),
    ("item", "scalar", "k is a constant", "k * sqrt", "1.5f * sqrt"),
    (
        "item",
        "cancellation",
        "squares minus the squared mean",
        "squares += (x[row * n + j] - mean) * (x[row * n + j] - mean)",
        "squares += x[row * n + j] * x[row * n + j] - mean * mean",
    ),
    (
        "item",
        "index",
        "clamped from above only",
        "fmin(fmax(x[row * n + j], mean - off), mean + off)",
        "fmin(x[row * n + j], mean + off)",
    ),
]
