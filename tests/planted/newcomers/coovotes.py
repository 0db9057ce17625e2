"""A sparse matrix in coordinates, in any order, times a vector of whole numbers."""

import numpy as np

import hotloop as hl

A = """
__kernel void zero(__global int *y, const int rows) {
    const int i = get_global_id(0);
    if (i < rows) y[i] = 0;
}
"""
B = """
__kernel void coo(__global const int *r, __global const int *c, __global const int *v, __global const int *x, __global int *y, const int nnz) {
    const int i = get_global_id(0);
    if (i >= nnz) return;
    const int s = v[i] * x[c[i]];
    if (s != 0) atomic_add(&y[r[i]], s);
}
"""


@hl.kernel(
    problem=dict(rows=300, nnz=6000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 4 * p.nnz),
    awkward=lambda p: [dict(rows=1, nnz=1), dict(rows=7, nnz=100), dict(rows=64, nnz=1000)],
)
class coovotes:
    def inputs(p, rng):
        return dict(
            r=rng.integers(0, p.rows, p.nnz, dtype="i4"),
            c=rng.integers(0, 100, p.nnz, dtype="i4"),
            v=rng.integers(-9, 10, p.nnz, dtype="i4"),
            x=rng.integers(-9, 10, 100, dtype="i4"),
            y=rng.integers(-99, 99, p.rows, dtype="i4"),
            nnz=p.nnz,
        )

    def reference(p, r, c, v, x, y, nnz):
        t = y.astype("i8").copy()
        np.add.at(t, r, v.astype("i8") * x[c])
        return dict(y=t)

    b = hl.OpenCL(B, "coo", global_size=lambda p, c: (p.nnz,))


MUTANTS = [
    ("b", "atomic", "no atomic", "atomic_add(&y[r[i]], s)", "y[r[i]] += s"),
    (
        "b",
        "atomic",
        "rows of the second half without an atomic",
        "atomic_add(&y[r[i]], s)",
        "if (i < nnz / 2) atomic_add(&y[r[i]], s); else y[r[i]] += s",
    ),
    ("b", "atomic", "exchanged instead of added", "atomic_add(&y[r[i]], s)", "atomic_xchg(&y[r[i]], y[r[i]] + s)"),
    (
        "b",
        "atomic",
        "odd rows without an atomic",
        "atomic_add(&y[r[i]], s)",
        "if (r[i] & 1) y[r[i]] += s; else atomic_add(&y[r[i]], s)",
    ),
    ("b", "type", "products in 8 bits", "const int s", "const char s"),
]
