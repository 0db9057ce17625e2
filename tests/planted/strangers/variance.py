"""Mean and variance of rows."""

import numpy as np

import hotloop as hl

TWICE = """
__kernel void moments(__global const float *x, __global float *mean, __global float *var, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += x[r * cols + c];
    const float m = sum / cols;
    float square = 0;
    for (int c = 0; c < cols; ++c) { const float d = x[r * cols + c] - m; square += d * d; }
    mean[r] = m;
    var[r] = square / cols;
}
"""
WELFORD = """
__kernel void moments(__global const float *x, __global float *mean, __global float *var, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float m = 0, s = 0;
    for (int c = 0; c < cols; ++c) {
        const float v = x[r * cols + c], d = v - m;
        m += d / (c + 1);
        s += d * (v - m);
    }
    mean[r] = m;
    var[r] = s / cols;
}
"""


@hl.kernel(
    problem=dict(rows=100, cols=300),
    work=lambda p: hl.Work(flops=5 * p.rows * p.cols, bytes=4 * p.rows * (p.cols + 2)),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=31), dict(rows=17, cols=2)],
    tolerance=hl.Tolerance(terms=lambda p: p.cols, absolute=1e-6),
)
class variance:
    def inputs(p, rng):
        x = rng.standard_normal((p.rows, p.cols), "f4")
        return dict(x=x, mean=hl.empty(p.rows), var=hl.empty(p.rows), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, mean, var, rows, cols):
        v = x.astype("f8")
        return dict(mean=v.mean(axis=1), var=v.var(axis=1))

    twice = hl.OpenCL(TWICE, "moments", global_size=lambda p, c: (p.rows,))
    welford = hl.OpenCL(WELFORD, "moments", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("twice", "cancellation", "mean of squares minus square of mean", "const float d = x[r * cols + c] - m; square += d * d; }", "const float d = x[r * cols + c]; square += d * d; }\n    square -= cols * m * m;"),
    ("twice", "bessel", "divides by one less", "square / cols", "square / max(cols - 1, 1)"),
    ("twice", "tail", "the last column is not in the variance", "const float d = x[r * cols + c] - m;", "const float d = c < cols - 1 ? x[r * cols + c] - m : 0;"),
    ("welford", "update", "the old mean twice", "d * (v - m)", "d * d"),
    ("welford", "count", "the count is one behind", "(c + 1)", "(c + (c > 0 ? 1 : 1) + (c == 200))"),
    ("twice", "absolute", "magnitudes are summed", "sum += x[r * cols + c];", "sum += fabs(x[r * cols + c]);"),
    ("twice", "precision", "a reciprocal of 12 bits", "sum / cols", "sum * (rint(65536.0f / cols) / 65536.0f)"),
    ("welford", "alias", "mean and variance are exchanged", "mean[r] = m;\n    var[r] = s / cols;", "var[r] = m;\n    mean[r] = s / cols;"),
]  # fmt: skip
