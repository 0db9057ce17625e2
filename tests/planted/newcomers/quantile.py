"""Quantiles of sorted rows, linearly between neighbours, at levels of each row."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *q, __global float *o, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    const float at = q[r] * (cols - 1);
    const int low = (int)floor(at);
    const int high = min(low + 1, cols - 1);
    const float part = at - low;
    o[r] = x[r * cols + low] * (1.0f - part) + x[r * cols + high] * part;
}
"""
TWO = """
__kernel void k(__global const float *x, __global const float *q, __global float *o, const int rows, const int cols) {
    for (int r = get_global_id(0); r < rows; r += get_global_size(0)) {
        __global const float *row = x + r * cols;
        const float at = q[r] * (cols - 1);
        int low = (int)at;
        if (low >= cols - 1) { o[r] = row[cols - 1]; continue; }
        const float a = row[low], b = row[low + 1];
        o[r] = fma(at - low, b - a, a);
    }
}
"""


@hl.kernel(
    problem=dict(rows=999, cols=33),
    work=lambda p: hl.Work(flops=6 * p.rows, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=5, cols=2), dict(rows=70, cols=10)],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.cols),
    domain=dict(x="sorted", q="range"),
)
class quantile:
    def inputs(p, rng):
        q = rng.random(p.rows, "f4")
        q[rng.random(p.rows) < 0.1] = 1.0
        q[rng.random(p.rows) < 0.1] = 0.0
        x = np.sort(rng.standard_normal((p.rows, p.cols)).astype("f4"), 1)
        return dict(x=x, q=q, o=hl.empty(p.rows), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, q, o, rows, cols):
        at = q.astype("f8") * (p.cols - 1)
        low = np.floor(at).astype("i8")
        high = np.minimum(low + 1, p.cols - 1)
        wide, row = x.astype("f8"), np.arange(p.rows)
        return dict(o=wide[row, low] * (1 - (at - low)) + wide[row, high] * (at - low))

    def magnitude(p, x, q, o, rows, cols):
        return dict(o=np.abs(x.astype("f8")).max(1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    two = hl.OpenCL(TWO, "k", global_size=lambda p, c: (-(-p.rows // 2),))


MUTANTS = [
    ("plain", "bounds", "the element behind the row", "min(low + 1, cols - 1)", "low + 1"),
    ("plain", "scale", "levels of all columns", "q[r] * (cols - 1)", "q[r] * cols * 0.97f"),
    (
        "plain",
        "rounding",
        "the nearest element",
        "x[r * cols + low] * (1.0f - part) + x[r * cols + high] * part",
        "x[r * cols + (part < 0.5f ? low : high)]",
    ),
    ("two", "stride", "rows are taken one apart", "r += get_global_size(0)", "r += get_global_size(0) + 1"),
    (
        "two",
        "limit",
        "the last element is the one before it",
        "o[r] = row[cols - 1]; continue;",
        "o[r] = row[max(cols - 2, 0)]; continue;",
    ),
]
