"""Largest loss from a peak to a later low of each series of prices."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void dd(__global const int *x, __global int *o, const int cols) {
    __local int hi[64], lo[64], loss[64];
    const int l = get_local_id(0), r = get_group_id(0), chunk = (cols + 63) / 64;
    int a = 0, b = INT_MAX, d = 0;
    for (int c = l * chunk; c < min(cols, (l + 1) * chunk); ++c) {
        const int v = x[r * cols + c];
        a = max(a, v);
        b = min(b, v);
        d = max(d, a - v);
    }
    hi[l] = a;
    lo[l] = b;
    loss[l] = d;
    for (int s = 1; s < 64; s *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % (2 * s) == 0) {
            loss[l] = max(max(loss[l], loss[l + s]), hi[l] - lo[l + s]);
            hi[l] = max(hi[l], hi[l + s]);
            lo[l] = min(lo[l], lo[l + s]);
        }
    }
    if (l == 0) o[r] = loss[0];
}
"""


@hl.kernel(
    problem=dict(rows=50, cols=3000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=65), dict(rows=7, cols=500)],
    domain=dict(x="positive"),
)
class drawdown:
    def inputs(p, rng):
        return dict(
            x=(100000 + np.cumsum(rng.integers(-50, 51, (p.rows, p.cols)), 1)).clip(1).astype("i4"),
            o=hl.empty(p.rows, "i4"),
            cols=p.cols,
        )

    def reference(p, x, o, cols):
        t = x.astype("i8")
        return dict(o=(np.maximum.accumulate(t, 1) - t).max(1))

    a = hl.OpenCL(A, "dd", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "order", "the largest gain", "hi[l] - lo[l + s]);", "hi[l + s] - lo[l]);"),
    ("a", "barrier", "no barrier in the tree", "s *= 2) {\n        barrier(CLK_LOCAL_MEM_FENCE);", "s *= 2) {"),
    ("a", "steps", "the second half is not heard", "s = 1; s < 64", "s = 1; s < 32"),
    ("a", "tail", "what no item's share holds is left out", "(cols + 63) / 64", "max(1, cols / 64)"),
    ("a", "uninitialised", "the peak is not set", "int a = 0, b", "int a, b"),
    ("a", "limit", "no loss is a loss of one", "d = 0;", "d = 1;"),
]
