"""A sparse matrix of triplets in any order, some of them doubled, times a vector in whole numbers, by atomics."""

import numpy as np

import hotloop as hl

A = """
__kernel void clear(__global int *y, int rows) { int i = get_global_id(0); if (i < rows) y[i] = 0; }
"""
K = """
__kernel void k(__global const int *r, __global const int *c, __global const short *v, __global const int *x, __global int *y, int nnz) {
    int i = get_global_id(0);
    if (i < nnz) atomic_add(&y[r[i]], v[i] * x[c[i]]);
}
"""
B = """
__kernel void k(__global const int *r, __global const int *c, __global const short *v, __global const int *x, __global int *y, int nnz) {
    int per = 16, i = get_global_id(0) * per, end = min(i + per, nnz);
    if (i >= nnz) return;
    int row = r[i], s = 0;
    for (; i < end; ++i) {
        if (r[i] != row) { atomic_add(y + row, s); row = r[i]; s = 0; }
        s += v[i] * x[c[i]];
    }
    atomic_add(y + row, s);
}
"""


@hl.kernel(
    problem=dict(nnz=9000, rows=300),
    work=lambda p: hl.Work(flops=2 * p.nnz, bytes=18 * p.nnz),
    awkward=lambda p: [dict(nnz=1, rows=1), dict(nnz=50, rows=7), dict(nnz=1000, rows=64)],
)
class coofix:
    def inputs(p, rng):
        r = rng.integers(0, p.rows, p.nnz, dtype="i4")
        r[p.nnz // 3 : p.nnz // 2].sort()
        return dict(
            r=r,
            c=rng.integers(0, p.rows, p.nnz, dtype="i4"),
            v=rng.integers(-32768, 32768, p.nnz, dtype="i2"),
            x=rng.integers(-1000, 1000, p.rows, dtype="i4"),
            y=rng.integers(-9, 9, p.rows, dtype="i4"),
            nnz=p.nnz,
        )

    def reference(p, r, c, v, x, y, nnz):
        y = y.astype("i8")
        np.add.at(y, r, v.astype("i8") * x[c])
        return dict(y=y.astype("i4"))

    a = hl.OpenCL(K, "k", global_size=lambda p, c: (p.nnz,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (-(-p.nnz // 16),))


MUTANTS = [
    ("a", "atomic", "no atomic", "atomic_add(&y[r[i]], v[i] * x[c[i]])", "y[r[i]] += v[i] * x[c[i]]"),
    ("a", "inout", "what was there is lost at the first", "if (i < nnz)", "if (i < nnz && i > 0)"),
    ("a", "narrow", "products in 16 bits", "v[i] * x[c[i]]", "(short)(v[i] * x[c[i]])"),
    (
        "b",
        "flush",
        "the last sum of an item is lost",
        "    atomic_add(y + row, s);\n}",
        "    if (i < nnz) atomic_add(y + row, s);\n}",
    ),
    ("b", "flush", "the sum is not begun anew", "row = r[i]; s = 0;", "row = r[i];"),
    ("b", "tail", "the end is not bounded", "min(i + per, nnz)", "i + per"),
    ("b", "atomic", "no atomic within", "atomic_add(y + row, s); row", "y[row] += s; row"),
]
