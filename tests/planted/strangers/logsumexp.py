"""Logarithm of the sum of exponentials of rows."""

import numpy as np

import hotloop as hl

TWICE = """
__kernel void lse(__global const float *x, __global float *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float top = -INFINITY, sum = 0;
    for (int c = 0; c < cols; ++c) top = fmax(top, x[r * cols + c]);
    for (int c = 0; c < cols; ++c) sum += exp(x[r * cols + c] - top);
    y[r] = top + log(sum);
}
"""
ONLINE = """
__kernel void lse(__global const float *x, __global float *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float top = x[r * cols], sum = 1;
    for (int c = 1; c < cols; ++c) {
        const float v = x[r * cols + c], next = fmax(top, v);
        sum = sum * exp(top - next) + exp(v - next);
        top = next;
    }
    y[r] = top + log(sum);
}
"""


@hl.kernel(
    problem=dict(rows=200, cols=150),
    work=lambda p: hl.Work(flops=4 * p.rows * p.cols, bytes=4 * p.rows * (p.cols + 1)),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=33), dict(rows=65, cols=7)],
    tolerance=hl.Tolerance(terms=lambda p: 8, absolute=1e-5),
)
class logsumexp:
    def inputs(p, rng):
        x = (4 * rng.standard_normal((p.rows, p.cols))).astype("f4")
        return dict(x=x, y=hl.empty(p.rows), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, y, rows, cols):
        v = x.astype("f8")
        top = v.max(axis=1, keepdims=True)
        return dict(y=top[:, 0] + np.log(np.exp(v - top).sum(axis=1)))

    twice = hl.OpenCL(TWICE, "lse", global_size=lambda p, c: (p.rows,))
    online = hl.OpenCL(ONLINE, "lse", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("twice", "no-shift", "the largest is not subtracted", "exp(x[r * cols + c] - top);\n    y[r] = top + log(sum)", "exp(x[r * cols + c]);\n    y[r] = log(sum)"),
    ("twice", "max", "the largest starts at zero", "float top = -INFINITY", "float top = 0"),
    ("twice", "max", "the largest starts at minus 100", "float top = -INFINITY", "float top = -100"),
    ("twice", "shift", "shifted by the first element", "for (int c = 0; c < cols; ++c) top = fmax(top, x[r * cols + c]);", "top = x[r * cols];"),
    ("online", "rescale", "the sum is not rescaled", "sum * exp(top - next)", "sum"),
    ("online", "order", "the largest is updated first", "sum = sum * exp(top - next) + exp(v - next);\n        top = next;", "top = next;\n        sum = sum * exp(top - next) + exp(v - next);"),
    ("online", "min", "keeps the smallest", "fmax(top, v)", "fmin(top, v)"),
    ("twice", "log2", "exponentials of base two, a short constant", "exp(x[r * cols + c] - top)", "exp2(1.44f * (x[r * cols + c] - top))"),
]  # fmt: skip
