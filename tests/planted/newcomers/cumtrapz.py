"""Running integrals of rows over uneven places by trapezia, zero at the start: one item a row, and in two levels."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *t, __global const float *y, __global float *o, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0.0f;
    o[r * cols] = 0.0f;
    for (int c = 1; c < cols; ++c) {
        sum += 0.5f * (t[c] - t[c - 1]) * (y[r * cols + c] + y[r * cols + c - 1]);
        o[r * cols + c] = sum;
    }
}
"""
LEVELS = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void k(__global const float *t, __global const float *y, __global float *o, const int rows, const int cols) {
    __local float s[32];
    const int r = get_group_id(0), l = get_local_id(0), each = (cols + 31) / 32;
    const int first = min(l * each, cols), last = min(first + each, cols);
    float sum = 0.0f;
    for (int c = max(first, 1); c < last; ++c) sum += 0.5f * (t[c] - t[c - 1]) * (y[r * cols + c] + y[r * cols + c - 1]);
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    float before = 0.0f;
    for (int j = 0; j < l; ++j) before += s[j];
    for (int c = first; c < last; ++c) {
        if (c) before += 0.5f * (t[c] - t[c - 1]) * (y[r * cols + c] + y[r * cols + c - 1]);
        o[r * cols + c] = before;
    }
}
"""


@hl.kernel(
    problem=dict(rows=90, cols=150),
    work=lambda p: hl.Work(flops=5 * p.rows * p.cols, bytes=8 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=5, cols=2), dict(rows=9, cols=65)],
    tolerance=hl.Tolerance(terms=lambda p: 2 * p.cols),
    domain=dict(t="fixed", y="finite"),
)
class cumtrapz:
    def inputs(p, rng):
        return dict(
            t=np.cumsum(rng.random(p.cols) + 0.1).astype("f4"),
            y=rng.standard_normal((p.rows, p.cols), "f4"),
            o=hl.empty((p.rows, p.cols)),
            rows=np.int32(p.rows),
            cols=np.int32(p.cols),
        )

    def reference(p, t, y, o, rows, cols):
        t, y = t.astype("f8"), y.astype("f8")
        parts = 0.5 * np.diff(t) * (y[:, 1:] + y[:, :-1])
        return dict(o=np.concatenate([np.zeros((p.rows, 1)), np.cumsum(parts, 1)], 1))

    def magnitude(p, t, y, o, rows, cols):
        t, y = t.astype("f8"), np.abs(y.astype("f8"))
        parts = 0.5 * np.abs(np.diff(t)) * (y[:, 1:] + y[:, :-1]) + np.abs(t[1:]) * 1e-7 * (y[:, 1:] + y[:, :-1])
        return dict(o=np.concatenate([np.zeros((p.rows, 1)), np.cumsum(parts, 1)], 1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    levels = hl.OpenCL(LEVELS, "k", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "plain",
        "formula",
        "rectangles instead of trapezia",
        "0.5f * (t[c] - t[c - 1]) * (y[r * cols + c] + y[r * cols + c - 1])",
        "(t[c] - t[c - 1]) * y[r * cols + c]",
    ),
    ("plain", "start", "the start is the first value", "    o[r * cols] = 0.0f;\n", "    o[r * cols] = y[r * cols];\n"),
    ("levels", "barrier", "no barrier between the levels", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("levels", "off-by-one", "sums of one part too many", "j < l; ++j", "j <= l; ++j"),
    ("levels", "bounds", "the first of a row meets the row before", "        if (c) before", "        before"),
]
