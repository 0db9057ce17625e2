"""Products of rows and columns at the places of a sparse matrix (CSR), times its values."""

import numpy as np

import hotloop as hl

A = """
__kernel void sddmm(__global const int *start, __global const int *col, __global const float *v, __global const float *x,
                    __global const float *y, __global float *o, const int rows, const int k, const float alpha) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    for (int e = start[r]; e < start[r + 1]; ++e) {
        float sum = 0.0f;
        for (int j = 0; j < k; ++j) sum = fma(x[r * k + j], y[col[e] * k + j], sum);
        o[e] = alpha * v[e] * sum;
    }
}
"""
B = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sddmm(__global const int *start, __global const int *col, __global const float *v, __global const float *x,
           __global const float *y, __global float *o, const int rows, const int k, const float alpha) {
    const int r = get_group_id(0), l = get_local_id(0);
    __local float part[64];
    for (int e = start[r]; e < start[r + 1]; ++e) {
        float sum = 0.0f;
        for (int j = l; j < k; j += 64) sum = fma(x[r * k + j], y[col[e] * k + j], sum);
        part[l] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int h = 32; h > 0; h /= 2) {
            if (l < h) part[l] += part[l + h];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) o[e] = alpha * v[e] * part[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(rows=200, cols=150, k=64),
    work=lambda p: hl.Work(flops=2 * 6 * p.rows * p.k, bytes=4 * (p.rows + p.cols) * p.k),
    awkward=lambda p: [dict(rows=1, cols=1, k=1), dict(rows=17, cols=40, k=65), dict(rows=33, cols=9, k=3)],
    linear=("x", "y"),
    tolerance=hl.Tolerance(terms=lambda p: p.k),
)
class sddmm:
    def inputs(p, rng):
        counts = rng.integers(0, 13, p.rows)
        start = np.concatenate([[0], np.cumsum(counts)]).astype("i4")
        total = max(int(start[-1]), 1)
        return dict(
            start=start,
            col=rng.integers(0, p.cols, total, dtype="i4"),
            v=rng.standard_normal(total, "f4"),
            x=rng.standard_normal((p.rows, p.k), "f4"),
            y=rng.standard_normal((p.cols, p.k), "f4"),
            o=np.zeros(total, "f4"),
            rows=p.rows,
            k=p.k,
            alpha=np.float32(rng.random() + 0.5),
        )

    def reference(p, start, col, v, x, y, o, rows, k, alpha):
        row = np.repeat(np.arange(rows), np.diff(start))
        n = row.size
        made = o.astype("f8")
        made[:n] = float(alpha) * v[:n].astype("f8") * (x[row].astype("f8") * y[col[:n]].astype("f8")).sum(1)
        return dict(o=made)

    def magnitude(p, start, col, v, x, y, o, rows, k, alpha):
        row = np.repeat(np.arange(rows), np.diff(start))
        n = row.size
        made = np.abs(o.astype("f8"))
        made[:n] = np.abs(float(alpha) * v[:n].astype("f8")) * np.abs(
            x[row].astype("f8") * y[col[:n]].astype("f8")
        ).sum(1)
        return dict(o=made)

    a = hl.OpenCL(A, "sddmm", global_size=lambda p, c: (p.rows,))
    b = hl.OpenCL(B, "sddmm", global_size=lambda p, c: (p.rows * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "scalar", "alpha is dropped", "alpha * v[e] * sum", "v[e] * sum"),
    ("a", "index", "columns of x", "y[col[e] * k + j]", "y[e % 9 * k + j]"),
    ("a", "edge", "the last entry of a row is left out", "e < start[r + 1]; ++e", "e < start[r + 1] - 1; ++e"),
    (
        "b",
        "barrier",
        "no barrier between steps",
        "part[l] += part[l + h];\n            barrier(CLK_LOCAL_MEM_FENCE);",
        "part[l] += part[l + h];",
    ),
    ("b", "tail", "the last k of odd lengths", "j < k; j += 64", "j < (k & ~1) + (k == 1); j += 64"),
    (
        "b",
        "precision",
        "products in half",
        "sum = fma(x[r * k + j], y[col[e] * k + j], sum)",
        "sum += as_float(as_uint(x[r * k + j]) & 0xffffe000) * y[col[e] * k + j]",
    ),
]
