"""Sparse matrix (CSR) times vector, with empty rows."""

import numpy as np

import hotloop as hl

ITEM = """
__kernel void spmv(__global const int *ptr, __global const int *col, __global const float *val, __global const float *x,
                   __global float *y, const int rows) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0.0f;
    for (int k = ptr[r]; k < ptr[r + 1]; ++k) sum = fma(val[k], x[col[k]], sum);
    y[r] = sum;
}
"""
GROUP = """
__kernel void spmv(__global const int *ptr, __global const int *col, __global const float *val, __global const float *x,
                   __global float *y, const int rows) {
    __local float part[WG];
    const int r = get_group_id(0), t = get_local_id(0);
    float sum = 0.0f;
    for (int k = ptr[r] + t; k < ptr[r + 1]; k += WG) sum += val[k] * x[col[k]];
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) y[r] = part[0];
}
"""


@hl.kernel(
    problem=dict(rows=700, cols=500),
    work=lambda p: hl.Work(flops=20 * p.rows, bytes=100 * p.rows),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=17, cols=3), dict(rows=65, cols=129)],
    tolerance=hl.Tolerance(terms=lambda p: 40),
    linear=("val", "x"),
)
class csr:
    def inputs(p, rng):
        lengths = rng.integers(0, 20, p.rows)
        ptr = np.concatenate([[0], np.cumsum(lengths)]).astype("i4")
        col = rng.integers(0, p.cols, max(int(ptr[-1]), 1), dtype="i4")
        val = rng.standard_normal(col.size, "f4")
        x = rng.standard_normal(p.cols, "f4")
        return dict(ptr=ptr, col=col, val=val, x=x, y=hl.empty(p.rows), rows=np.int32(p.rows))

    def reference(p, ptr, col, val, x, y, rows):
        products = np.append(val.astype("f8") * x.astype("f8")[col], 0.0)
        sums = np.add.reduceat(products, np.minimum(ptr[:-1], products.size - 1))
        return dict(y=np.where(np.diff(ptr) > 0, sums, 0.0))

    item = hl.OpenCL(ITEM, "spmv", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(
        GROUP, "spmv", dict(WG=[8]), global_size=lambda p, c: (p.rows * c.WG,), local_size=lambda p, c: (c.WG,)
    )


MUTANTS = [
    ("item", "empty", "rows have at least one element", "k < ptr[r + 1]; ++k", "k < max(ptr[r + 1], ptr[r] + 1); ++k"),
    ("item", "last", "the last element of a row is lost", "k < ptr[r + 1];", "k + 1 < ptr[r + 1];"),
    ("item", "gather", "the vector is read in order", "x[col[k]]", "x[k % (ptr[1] + 1)]"),
    ("item", "uninitialised", "the sum starts at the old output", "float sum = 0.0f;", "float sum = y[r];"),
    ("item", "most", "rows have at most sixteen elements", "k < ptr[r + 1]; ++k", "k < min(ptr[r + 1], ptr[r] + 16); ++k"),
    ("group", "barrier", "no barrier in the tree", "part[t] += part[t + s];\n        barrier(CLK_LOCAL_MEM_FENCE);", "part[t] += part[t + s];"),
    ("group", "tree", "the tree ends early", "s > 0;", "s > 1;"),
    ("group", "half", "values are rounded to half", "val[k] * x[col[k]]", "(float)rint(val[k] * 2048.0f) / 2048.0f * x[col[k]]"),
]  # fmt: skip
