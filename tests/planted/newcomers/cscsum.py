"""Integer sums by row of a matrix stored by columns (CSC), times a vector, with atomics."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void csc(__global const int *start, __global const int *row, __global const short *val, __global const short *x, __global int *y) {
    const int c = get_group_id(0);
    const int v = x[c];
    for (int k = start[c] + get_local_id(0); k < start[c + 1]; k += 16) atomic_add(&y[row[k]], val[k] * v);
}
"""


@hl.kernel(
    problem=dict(rows=200, cols=150),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=5, cols=33), dict(rows=64, cols=3)],
    domain=dict(row="structure", start="sorted"),
)
class cscsum:
    def inputs(p, rng):
        many = rng.integers(0, min(p.rows, 40) + 1, p.cols)
        start = np.concatenate([[0], np.cumsum(many)]).astype("i4")
        row = np.concatenate([rng.choice(p.rows, k, replace=False) for k in many] or [np.zeros(0)]).astype("i4")
        row = row if row.size else np.zeros(1, "i4")
        return dict(
            start=start,
            row=row,
            val=rng.integers(-300, 300, row.size, dtype="i2"),
            x=rng.integers(-300, 300, p.cols, dtype="i2"),
            y=rng.integers(-9, 9, p.rows, dtype="i4"),
        )

    def reference(p, start, row, val, x, y):
        out = y.astype("i8").copy()
        for c in range(p.cols):
            for k in range(start[c], start[c + 1]):
                out[row[k]] += int(val[k]) * int(x[c])
        return dict(y=out)

    a = hl.OpenCL(A, "csc", global_size=lambda p, c: (16 * p.cols,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("a", "atomic", "added without an atomic", "atomic_add(&y[row[k]], val[k] * v)", "y[row[k]] += val[k] * v"),
    ("a", "narrow", "products in 16 bits", "val[k] * v", "(short)(val[k] * v)"),
    ("a", "bounds", "the last entry of a column", "k < start[c + 1]; k", "k < start[c + 1] - 1; k"),
    ("a", "bounds", "the first entry of the next column, too", "k < start[c + 1]; k", "k <= start[c + 1]; k"),
    ("a", "stride", "every other stretch of 16", "k += 16", "k += 32"),
    (
        "a",
        "index",
        "the vector by row",
        "atomic_add(&y[row[k]], val[k] * v)",
        "atomic_add(&y[row[k]], val[k] * x[min(row[k], (int)get_num_groups(0) - 1)])",
    ),
    ("a", "sign", "subtracted", "atomic_add(&y", "atomic_sub(&y"),
    ("a", "aliasing", "results are stored at the column's place", "&y[row[k]]", "&y[row[k] / 2 * 2]"),
]
