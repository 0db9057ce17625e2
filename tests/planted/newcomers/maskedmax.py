"""Softmax of rows where a mask allows it; rows of which nothing is allowed are zero."""

import numpy as np

import hotloop as hl

A = """
__kernel void masked(__global const float *x, __global const uchar *mask, __global float *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float top = -INFINITY, sum = 0.0f;
    for (int j = 0; j < cols; ++j) if (mask[r * cols + j]) top = fmax(top, x[r * cols + j]);
    for (int j = 0; j < cols; ++j) if (mask[r * cols + j]) sum += exp(x[r * cols + j] - top);
    for (int j = 0; j < cols; ++j) y[r * cols + j] = mask[r * cols + j] ? exp(x[r * cols + j] - top) / sum : 0.0f;
}
"""


@hl.kernel(
    problem=dict(rows=150, cols=40),
    work=lambda p: hl.Work(flops=10 * p.rows * p.cols, bytes=9 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=33, cols=7)],
    tolerance=hl.Tolerance(terms=lambda p: 8 + p.cols, absolute=1e-6),
    domain=dict(x="finite"),
)
class maskedmax:
    def inputs(p, rng):
        mask = rng.integers(0, 2, (p.rows, p.cols), dtype="u1")
        mask[rng.random(p.rows) < 0.1] = 0
        return dict(
            x=rng.standard_normal((p.rows, p.cols), "f4") * 3,
            mask=mask,
            y=hl.empty((p.rows, p.cols)),
            rows=p.rows,
            cols=p.cols,
        )

    def reference(p, x, mask, y, rows, cols):
        v = np.where(mask > 0, x.astype("f8"), -np.inf)
        top = v.max(1, keepdims=True)
        e = np.exp(v - np.where(np.isfinite(top), top, 0))
        s = e.sum(1, keepdims=True)
        return dict(y=np.divide(e, s, out=np.zeros_like(e), where=s > 0))

    a = hl.OpenCL(A, "masked", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "shift", "the largest of all, allowed or not", "if (mask[r * cols + j]) top = fmax", "top = fmax"),
    (
        "a",
        "empty",
        "rows of nothing divide by zero",
        "mask[r * cols + j] ? exp(x[r * cols + j] - top) / sum : 0.0f",
        "(mask[r * cols + j] ? exp(x[r * cols + j] - top) : 0.0f) / sum",
    ),
    ("a", "start", "the largest starts at zero", "float top = -INFINITY", "float top = 0.0f"),
    ("a", "mask", "only the lowest bit counts", "if (mask[r * cols + j]) sum", "if (mask[r * cols + j] == 2) sum"),
    (
        "a",
        "edge",
        "the last column is not added",
        "for (int j = 0; j < cols; ++j) if (mask[r * cols + j]) sum",
        "for (int j = 0; j < cols - 1; ++j) if (mask[r * cols + j]) sum",
    ),
]
