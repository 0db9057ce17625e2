"""Moving sums of eight: each row's running sum goes on by adding one element and taking one away."""

import numpy as np

import hotloop as hl

RUNNING = """
__kernel void moving(__global const int *x, __global int *y, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += x[r * n + i];
        if (i >= 8) sum -= x[r * n + i - 8];
        y[r * n + i] = sum;
    }
}
"""
DIRECT = """
__kernel void moving(__global const int *x, __global int *y, const int rows, const int n) {
    const int i = get_global_id(0), r = get_global_id(1);
    int sum = 0;
    for (int k = max(i - 7, 0); k <= i; ++k) sum += x[r * n + k];
    y[r * n + i] = sum;
}
"""


@hl.kernel(
    problem=dict(rows=30, n=400),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=3, n=7), dict(rows=5, n=33)],
)
class moving:
    def inputs(p, rng):
        x = rng.integers(-(2**31), 2**31, (p.rows, p.n), dtype="i4")
        return dict(x=x, y=hl.empty((p.rows, p.n), "int32"), rows=np.int32(p.rows), n=np.int32(p.n))

    def reference(p, x, y, rows, n):
        total = np.cumsum(x, axis=1, dtype="i8")
        total[:, 8:] = total[:, 8:] - total[:, :-8]
        return dict(y=total.astype("i4"))

    running = hl.OpenCL(RUNNING, "moving", global_size=lambda p, c: (p.rows,))
    direct = hl.OpenCL(DIRECT, "moving", global_size=lambda p, c: (p.n, p.rows))


MUTANTS = [
    (
        "running",
        "window",
        "nine elements",
        "if (i >= 8) sum -= x[r * n + i - 8];",
        "if (i >= 9) sum -= x[r * n + i - 9];",
    ),
    ("running", "first", "the first element stays", "if (i >= 8)", "if (i > 8)"),
    ("running", "wide", "sums saturate", "sum += x[r * n + i];", "sum = add_sat(sum, x[r * n + i]);"),
    ("direct", "row", "the window reaches into the row before", "max(i - 7, 0)", "max(i - 7, r ? -7 : 0)"),
    ("direct", "window", "seven elements", "max(i - 7, 0)", "max(i - 6, 0)"),
    ("direct", "float", "sums in float", "int sum = 0;", "float sum = 0;"),
]
