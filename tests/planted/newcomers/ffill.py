"""Missing values take the last one seen in their row, at most `most` places back; rows that begin with missing ones keep them."""

import numpy as np

import hotloop as hl

WALK = """
__kernel void k(__global const float *x, __global float *y, const int rows, const int cols, const int most) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float last = NAN;
    int age = 0;
    for (int c = 0; c < cols; ++c) {
        const float v = x[r * cols + c];
        if (!isnan(v)) { last = v; age = 0; } else ++age;
        y[r * cols + c] = age <= most ? last : NAN;
    }
}
"""
BACK = """
__kernel void k(__global const float *x, __global float *y, const int rows, const int cols, const int most) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= cols || r >= rows) return;
    float v = NAN;
    for (int q = c; q >= max(0, c - most) && isnan(v); --q) v = x[r * cols + q];
    y[r * cols + c] = v;
}
"""


@hl.kernel(
    problem=dict(rows=60, cols=200, most=4),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1, most=1), dict(rows=3, cols=65, most=2), dict(rows=7, cols=31, most=9)],
    domain=dict(x="nan"),
)
class ffill:
    def inputs(p, rng):
        x = rng.standard_normal((p.rows, p.cols)).astype("f4")
        x[rng.random(x.shape) < 0.4] = np.nan
        return dict(
            x=x, y=hl.empty((p.rows, p.cols)), rows=np.int32(p.rows), cols=np.int32(p.cols), most=np.int32(p.most)
        )

    def reference(p, x, y, rows, cols, most):
        seen = np.where(np.isnan(x), -1, np.arange(p.cols))
        last = np.maximum.accumulate(seen, axis=1)
        taken = np.take_along_axis(x, np.maximum(last, 0), axis=1)
        return dict(y=np.where((last >= 0) & (np.arange(p.cols) - last <= p.most), taken, np.nan).astype("f4"))

    walk = hl.OpenCL(WALK, "k", global_size=lambda p, c: (p.rows,))
    back = hl.OpenCL(BACK, "k", global_size=lambda p, c: (p.cols, p.rows))


MUTANTS = [
    ("walk", "limit", "one place less", "age <= most", "age < most"),
    ("walk", "state", "the age is not put back", "last = v; age = 0;", "last = v;"),
    ("walk", "nan", "infinities count as missing", "if (!isnan(v))", "if (isfinite(v))"),
    ("back", "limit", "one place more", "c - most)", "c - most - 1)"),
    ("back", "row", "the row before is asked", "max(0, c - most)", "(r ? c - most : max(0, c - most))"),
    ("back", "zero", "zeros count as missing", "isnan(v); --q", "(isnan(v) || v == 0.0f); --q"),
]
