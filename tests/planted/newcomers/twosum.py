"""Sums of rows in pairs of floats (double-single arithmetic): high and low part; and by error-free transformations at the end."""

import numpy as np

import hotloop as hl

PLAIN = """
#pragma OPENCL FP_CONTRACT OFF
__kernel void k(__global const float *x, __global float *high, __global float *low, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float h = 0.0f, l = 0.0f;
    for (int c = 0; c < cols; ++c) {
        const float v = x[r * cols + c];
        const float s = h + v, b = s - h;
        l += (h - (s - b)) + (v - b);
        h = s;
    }
    const float s = h + l;
    low[r] = l - (s - h);
    high[r] = s;
}
"""
DOUBLE = """
__kernel void k(__global const float *x, __global float *high, __global float *low, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    double sum = 0.0;
    for (int c = 0; c < cols; ++c) sum += x[r * cols + c];
    high[r] = (float)sum;
    low[r] = (float)(sum - (double)(float)sum);
}
"""


@hl.kernel(
    problem=dict(rows=500, cols=120),
    work=lambda p: hl.Work(flops=6 * p.rows * p.cols, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=65, cols=2), dict(rows=33, cols=77)],
    tolerance=hl.Tolerance(terms=lambda p: 1, factor=1.0),
    domain=dict(x="range"),
)
class twosum:
    def inputs(p, rng):
        x = rng.integers(-1000, 1001, (p.rows, p.cols)).astype("f4") * np.float32(2.0**-10)
        x[:, 0] += rng.integers(0, 2, p.rows).astype("f4") * np.float32(2.0**14)
        return dict(x=x, high=hl.empty(p.rows), low=hl.empty(p.rows), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, high, low, rows, cols):
        total = x.astype("f8").sum(1)
        top = total.astype("f4").astype("f8")
        return dict(high=top, low=total - top)

    def magnitude(p, x, high, low, rows, cols):
        size = np.abs(x.astype("f8")).sum(1)
        return dict(high=size, low=size * 2.0**-24)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    double = hl.OpenCL(DOUBLE, "k", options=("-cl-std=CL1.2",), global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("plain", "precision", "without the lost parts", "        l += (h - (s - b)) + (v - b);\n", ""),
    ("plain", "precision", "half of what was lost", "(h - (s - b)) + (v - b)", "(v - b)"),
    ("double", "type", "the sum in float", "double sum = 0.0;", "float sum = 0.0f;"),
    (
        "double",
        "sign",
        "the low part has the other sign",
        "(float)(sum - (double)(float)sum)",
        "(float)((double)(float)sum - sum)",
    ),
]
