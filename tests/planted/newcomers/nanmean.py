"""Means of rows without their missing values (NaN), NaN where a row has none: one item a row, and a group a row."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *mean, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0.0f;
    int count = 0;
    for (int c = 0; c < cols; ++c) {
        const float v = x[r * cols + c];
        if (!isnan(v)) { sum += v; ++count; }
    }
    mean[r] = count ? sum / count : NAN;
}
"""
GROUP = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void k(__global const float *x, __global float *mean, const int rows, const int cols) {
    __local float sums[32];
    __local int counts[32];
    const int r = get_group_id(0), t = get_local_id(0);
    float sum = 0.0f;
    int count = 0;
    for (int c = t; c < cols; c += 32) {
        const float v = x[r * cols + c];
        const int there = v == v;
        sum += there ? v : 0.0f;
        count += there;
    }
    sums[t] = sum;
    counts[t] = count;
    for (int part = 16; part; part >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < part) { sums[t] += sums[t + part]; counts[t] += counts[t + part]; }
    }
    if (t == 0) mean[r] = counts[0] > 0 ? sums[0] / counts[0] : NAN;
}
"""


@hl.kernel(
    problem=dict(rows=200, cols=150),
    work=lambda p: hl.Work(flops=p.rows * p.cols, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=31), dict(rows=17, cols=65)],
    tolerance=hl.Tolerance(terms=lambda p: p.cols),
    domain=dict(x="nan"),
)
class nanmean:
    def inputs(p, rng):
        x = rng.standard_normal((p.rows, p.cols)).astype("f4") + np.float32(3)
        x[rng.random((p.rows, p.cols)) < 0.2] = np.nan
        x[rng.random(p.rows) < 0.1] = np.nan
        return dict(x=x, mean=hl.empty(p.rows), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, mean, rows, cols):
        wide, there = x.astype("f8"), ~np.isnan(x)
        count = there.sum(1)
        total = np.where(there, wide, 0.0).sum(1)
        return dict(mean=np.where(count > 0, total / np.maximum(count, 1), np.nan))

    def magnitude(p, x, mean, rows, cols):
        there = ~np.isnan(x)
        return dict(mean=np.where(there, np.abs(x.astype("f8")), 0.0).sum(1) / np.maximum(there.sum(1), 1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "divisor", "divided by all", "sum / count : NAN", "sum / cols : NAN"),
    ("plain", "empty", "zero for a row without values", ": NAN;", ": 0.0f;"),
    ("plain", "nan", "infinities are missing, too", "!isnan(v)", "isfinite(v)"),
    ("group", "barrier", "no barrier between the halves", "        barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("group", "zeroed", "a zero counts as missing", "there = v == v", "there = v == v && v != 0.0f"),
]
