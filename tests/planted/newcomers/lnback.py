"""Layer norm backwards, one row per work-item."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const float *x, __global const float *g, __global const float *dy, __global float *dx, const int rows, const int cols, const float eps) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    __global const float *a = x + (long)r * cols, *d = dy + (long)r * cols;
    float mean = 0.0f, var = 0.0f;
    for (int c = 0; c < cols; ++c) mean += a[c];
    mean /= cols;
    for (int c = 0; c < cols; ++c) var += (a[c] - mean) * (a[c] - mean);
    const float inv = rsqrt(var / cols + eps);
    float s1 = 0.0f, s2 = 0.0f;
    for (int c = 0; c < cols; ++c) { const float t = d[c] * g[c]; s1 += t; s2 += t * (a[c] - mean) * inv; }
    for (int c = 0; c < cols; ++c) dx[(long)r * cols + c] = inv * (d[c] * g[c] - (s1 + (a[c] - mean) * inv * s2) / cols);
}
"""


@hl.kernel(
    problem=dict(rows=200, cols=120),
    work=lambda p: hl.Work(flops=20 * p.rows * p.cols, bytes=12 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=7), dict(rows=65, cols=33)],
    tolerance=hl.Tolerance(terms=lambda p: 400 + 10 * p.cols, absolute=1e-4),
)
class lnback:
    def inputs(p, rng):
        s = (p.rows, p.cols)
        return dict(
            x=rng.standard_normal(s, "f4"),
            g=rng.standard_normal(p.cols, "f4"),
            dy=rng.standard_normal(s, "f4"),
            dx=hl.empty(s),
            rows=np.int32(p.rows),
            cols=np.int32(p.cols),
            eps=1e-5,
        )

    def reference(p, x, g, dy, dx, rows, cols, eps):
        X, t = x.astype("f8"), dy.astype("f8") * g
        mean, var = X.mean(1, keepdims=True), X.var(1, keepdims=True)
        inv = 1 / np.sqrt(var + eps)
        h = (X - mean) * inv
        return dict(dx=inv * (t - t.mean(1, keepdims=True) - h * (t * h).mean(1, keepdims=True)))

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (-(-p.rows // 8) * 8,), local_size=lambda p, c: (8,))


MUTANTS = [
    ("plain", "term", "the mean of the gradient is not subtracted", "(s1 + (a[c]", "((a[c]"),
    ("plain", "epsilon", "eps is dropped", "var / cols + eps", "var / cols"),
    ("plain", "weights", "the weight is not in the second sum", "s2 += t *", "s2 += d[c] *"),
    ("plain", "unbiased", "divided by columns minus one", "var / cols", "var / (cols - 1)"),
    ("plain", "scale", "inv is missing in one factor", "(a[c] - mean) * inv * s2", "(a[c] - mean) * s2"),
]
