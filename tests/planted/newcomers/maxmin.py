"""Range of each row, missing values (NaN) left out, as fmax and fmin do."""

import numpy as np

import hotloop as hl

ITEM = """
__kernel void k(__global const float *x, __global float *o, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float hi = -INFINITY, lo = INFINITY;
    for (int c = 0; c < cols; ++c) { hi = fmax(hi, x[r * cols + c]); lo = fmin(lo, x[r * cols + c]); }
    o[2 * r] = hi; o[2 * r + 1] = lo;
}
"""
GROUP = """
__kernel void k(__global const float *x, __global float *o, const int rows, const int cols) {
    __local float hs[16], ls[16];
    const int r = get_group_id(0), l = get_local_id(0);
    float hi = -INFINITY, lo = INFINITY;
    for (int c = l; c < cols; c += 16) { hi = fmax(hi, x[r * cols + c]); lo = fmin(lo, x[r * cols + c]); }
    hs[l] = hi; ls[l] = lo;
    for (int s = 8; s; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) { hs[l] = fmax(hs[l], hs[l + s]); ls[l] = fmin(ls[l], ls[l + s]); }
    }
    if (l == 0) { o[2 * r] = hs[0]; o[2 * r + 1] = ls[0]; }
}
"""


@hl.kernel(
    problem=dict(rows=200, cols=150),
    work=lambda p: hl.Work(flops=2 * p.rows * p.cols, bytes=4 * p.rows * p.cols + 8 * p.rows),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=5, cols=17), dict(rows=3, cols=16)],
    domain=dict(x="any"),
)
class maxmin:
    def inputs(p, rng):
        x = rng.standard_normal((p.rows, p.cols)).astype("f4")
        x[rng.random(x.shape) < 0.05] = np.nan
        return dict(x=x, o=hl.empty(2 * p.rows), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, o, rows, cols):
        x = x.reshape(p.rows, p.cols)
        hi = np.fmax.reduce(x, axis=1, initial=-np.inf)
        lo = np.fmin.reduce(x, axis=1, initial=np.inf)
        return dict(o=np.stack([hi, lo], 1).ravel())

    item = hl.OpenCL(ITEM, "k", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (16 * p.rows,), local_size=lambda p, c: (16,))


MUTANTS = [
    (
        "item",
        "nan",
        "NaN wins a comparison",
        "hi = fmax(hi, x[r * cols + c])",
        "hi = hi > x[r * cols + c] ? hi : x[r * cols + c]",
    ),
    ("item", "start", "the largest from zero", "hi = -INFINITY", "hi = 0"),
    ("item", "infinite", "the least from the largest number", "lo = INFINITY", "lo = FLT_MAX"),
    ("item", "start", "the largest from the least positive number", "hi = -INFINITY", "hi = FLT_MIN"),
    ("item", "nan", "from the first value", "hi = -INFINITY, lo = INFINITY", "hi = x[r * cols] + 0, lo = hi"),
    (
        "group",
        "barrier",
        "no barriers in the tree",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n        if (l < s)",
        "        if (l < s)",
    ),
    ("group", "last", "the tree ends at two", "s = 8; s; s >>= 1", "s = 8; s > 1; s >>= 1"),
    (
        "group",
        "uninitialised",
        "only items with a value write",
        "hs[l] = hi; ls[l] = lo;",
        "if (l < cols) { hs[l] = hi; ls[l] = lo; }",
    ),
    ("group", "swap", "the least of the largest", "ls[l] = fmin(ls[l], ls[l + s])", "ls[l] = fmin(ls[l], hs[l + s])"),
    ("group", "stride", "every seventeenth", "c += 16", "c += 17"),
]
