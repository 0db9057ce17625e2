"""Index of the largest element of each row; the first of equal ones."""

import numpy as np

import hotloop as hl

ITEM = """
__kernel void argmax(__global const float *x, __global int *best, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float top = x[r * cols];
    int at = 0;
    for (int c = 1; c < cols; ++c) {
        const float v = x[r * cols + c];
        if (v > top) { top = v; at = c; }
    }
    best[r] = at;
}
"""
GROUP = """
__kernel void argmax(__global const float *x, __global int *best, const int rows, const int cols) {
    __local float tops[WG];
    __local int ats[WG];
    const int r = get_group_id(0), t = get_local_id(0);
    float top = -INFINITY;
    int at = INT_MAX;
    for (int c = t; c < cols; c += WG) {
        const float v = x[r * cols + c];
        if (v > top || at == INT_MAX) { top = v; at = c; }
    }
    tops[t] = top;
    ats[t] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s /= 2) {
        if (t < s) {
            const float other = tops[t + s];
            if (other > tops[t] || (other == tops[t] && ats[t + s] < ats[t])) { tops[t] = other; ats[t] = ats[t + s]; }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) best[r] = ats[0];
}
"""


@hl.kernel(
    problem=dict(rows=96, cols=640),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * (p.cols + 1)),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=7, cols=97), dict(rows=3, cols=257)],
)
class argmax:
    def inputs(p, rng):
        x = rng.standard_normal((p.rows, p.cols), "f4")
        return dict(x=x, best=hl.empty(p.rows, "int32"), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, best, rows, cols):
        return dict(best=x.argmax(axis=1))

    item = hl.OpenCL(ITEM, entry="argmax", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(
        GROUP, "argmax", dict(WG=[64]), global_size=lambda p, c: (p.rows * c.WG,), local_size=lambda p, c: (c.WG,)
    )


MUTANTS = [
    ("item", "ties", "the last of equal elements", "v > top", "v >= top"),
    ("item", "start", "starts at zero instead of the first element", "float top = x[r * cols];", "float top = 0;"),
    ("item", "tail", "the last column is not looked at", "c < cols;", "c < cols - 1;"),
    ("item", "narrow", "the index is kept in 8 bits", "int at = 0;", "uchar at = 0;"),
    ("group", "ties", "equal elements of other work-items are taken as they come",
     "|| (other == tops[t] && ats[t + s] < ats[t])", ""),
    ("group", "ties", "the later of equal elements in the tree", "ats[t + s] < ats[t]", "ats[t + s] > ats[t]"),
    ("group", "start", "starts at the smallest positive number", "float top = -INFINITY;", "float top = FLT_MIN;"),
    ("group", "barrier", "no barrier before the tree", "ats[t] = at;\n    barrier(CLK_LOCAL_MEM_FENCE);", "ats[t] = at;"),
]  # fmt: skip
