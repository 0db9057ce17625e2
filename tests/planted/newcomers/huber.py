"""Huber's loss of each row and its gradient, with weights."""

import numpy as np

import hotloop as hl

A = """
__kernel void huber(__global const float *x, __global const float *t, __global const float *w, __global float *loss, __global float *grad,
                    const int rows, const int cols, const float delta) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0.0f;
    for (int j = 0; j < cols; ++j) {
        const float d = x[r * cols + j] - t[r * cols + j], a = fabs(d);
        sum += w[j] * (a <= delta ? 0.5f * d * d : delta * (a - 0.5f * delta));
        grad[r * cols + j] = w[j] * clamp(d, -delta, delta) / cols;
    }
    loss[r] = sum / cols;
}
"""


@hl.kernel(
    problem=dict(rows=100, cols=64), work=lambda p: hl.Work(flops=8 * p.rows * p.cols, bytes=12 * p.rows * p.cols)
)
class huber:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.cols), "f4"),
            t=rng.standard_normal((p.rows, p.cols), "f4"),
            w=rng.random(p.cols, "f4"),
            loss=hl.empty(p.rows),
            grad=hl.empty((p.rows, p.cols)),
            rows=p.rows,
            cols=p.cols,
            delta=1.0,
        )

    def reference(p, x, t, w, loss, grad, rows, cols, delta):
        d = x.astype("f8") - t
        a = np.abs(d)
        each = np.where(a <= delta, d * d / 2, delta * (a - delta / 2))
        return dict(loss=(w * each).mean(1), grad=w * np.clip(d, -delta, delta) / cols)

    a = hl.OpenCL(A, "huber", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "constant", "delta is one", "clamp(d, -delta, delta)", "clamp(d, -1.0f, 1.0f)"),
    ("a", "sign", "the gradient's sign", "clamp(d, -delta, delta)", "clamp(-d, -delta, delta)"),
    ("a", "half", "the linear part is not shifted", "(a - 0.5f * delta)", "(a - 0.25f * delta)"),
    ("a", "edge", "weights of the last column", "sum += w[j] *", "sum += w[min(j, cols - 2 + (cols < 2))] *"),
    ("a", "mean", "sums are not divided", "loss[r] = sum / cols", "loss[r] = sum / 64"),
]
