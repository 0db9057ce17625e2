"""Inclusive prefix sums of rows of int32 with wrap-around."""

import numpy as np

import hotloop as hl

ITEM = """
__kernel void scan(__global const int *x, __global int *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int sum = 0;
    for (int c = 0; c < cols; ++c) { sum += x[r * cols + c]; y[r * cols + c] = sum; }
}
"""
GROUP = """
__kernel void scan(__global const int *x, __global int *y, const int rows, const int cols) {
    __local int a[WG];
    const int r = get_group_id(0), t = get_local_id(0);
    int carry = 0;
    for (int base = 0; base < cols; base += WG) {
        const int c = base + t;
        a[t] = c < cols ? x[r * cols + c] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 1; s < WG; s <<= 1) {
            const int v = t >= s ? a[t - s] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            a[t] += v;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (c < cols) y[r * cols + c] = carry + a[t];
        carry += a[WG - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(rows=64, cols=500),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=5, cols=63), dict(rows=2, cols=65)],
)
class rowscan:
    def inputs(p, rng):
        x = rng.integers(-1000, 1000, (p.rows, p.cols), dtype="i4")
        return dict(x=x, y=hl.empty((p.rows, p.cols), "int32"), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, y, rows, cols):
        return dict(y=np.cumsum(x, axis=1, dtype="i4"))

    item = hl.OpenCL(ITEM, "scan", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(
        GROUP, "scan", dict(WG=[64]), global_size=lambda p, c: (p.rows * c.WG,), local_size=lambda p, c: (c.WG,)
    )


MUTANTS = [
    ("group", "carry", "the sum of earlier tiles is not carried", "carry += a[WG - 1];", "carry = a[WG - 1];"),
    ("group", "carry", "carries the element before the last", "a[WG - 1]", "a[WG - 2]"),
    ("group", "barrier", "no barrier between reading and writing", "a[t - s] : 0;\n            barrier(CLK_LOCAL_MEM_FENCE);", "a[t - s] : 0;"),
    ("group", "barrier", "no barrier before the next tile", "        carry += a[WG - 1];\n        barrier(CLK_LOCAL_MEM_FENCE);", "        carry += a[WG - 1];"),
    ("group", "exclusive", "an exclusive scan", "carry + a[t]", "carry + a[t] - (t ? 0 : a[t])"),
    ("group", "short", "sixteen steps are enough", "s < WG; s <<= 1", "s < WG / 2; s <<= 1"),
    ("item", "float", "sums in float", "int sum = 0;", "float sum = 0;"),
    ("item", "narrow", "sums in 16 bits", "int sum = 0;", "short sum = 0;"),
]  # fmt: skip
