"""Sparsemax of rows: the nearest point of the simplex."""

import numpy as np

import hotloop as hl

A = """
__kernel void sparsemax(__global const float *x, __global float *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    __global const float *z = x + (long)r * cols;
    float top = z[0];
    for (int j = 1; j < cols; ++j) top = fmax(top, z[j]);
    float tau = top - 1.0f;
    for (int turn = 0; turn < cols; ++turn) {
        float sum = 0.0f;
        int count = 0;
        for (int j = 0; j < cols; ++j) if (z[j] > tau) { sum += z[j] - top; ++count; }
        const float next = top + (sum - 1.0f) / count;
        if (next <= tau) break;
        tau = next;
    }
    for (int j = 0; j < cols; ++j) y[(long)r * cols + j] = fmax(z[j] - tau, 0.0f);
}
"""


@hl.kernel(
    problem=dict(rows=300, cols=40),
    work=lambda p: hl.Work(flops=10 * p.rows * p.cols, bytes=8 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=33, cols=7), dict(rows=5, cols=129)],
    tolerance=hl.Tolerance(terms=lambda p: p.cols, absolute=1e-6),
    domain=dict(x="finite"),
)
class sparsemax:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.cols), "f4"), y=hl.empty((p.rows, p.cols)), rows=p.rows, cols=p.cols
        )

    def reference(p, x, y, rows, cols):
        z = x.astype("f8")
        s = -np.sort(-z, axis=1)
        total = np.cumsum(s, axis=1) - 1
        k = np.arange(1, cols + 1)
        count = (s * k > total).sum(1)
        tau = total[np.arange(rows), count - 1] / count
        return dict(y=np.maximum(z - tau[:, None], 0))

    a = hl.OpenCL(A, "sparsemax", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "turns", "at most two turns", "turn < cols; ++turn", "turn < min(cols, 2); ++turn"),
    (
        "a",
        "shift",
        "the largest is not subtracted from what is summed",
        "{ sum += z[j] - top; ++count; }\n        const float next = top + (sum - 1.0f) / count;",
        "{ sum += z[j]; ++count; }\n        const float next = (sum - 1.0f) / count;",
    ),
    ("a", "negative", "negative ones stay", "fmax(z[j] - tau, 0.0f)", "z[j] - tau"),
]
