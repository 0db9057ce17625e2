"""A sparse matrix of rows of equal length with padding."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const float *v, __global const int *c, __global const float *x, __global float *y, const int rows, const int width) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float s = 0.0f;
    for (int j = 0; j < width; ++j) {
        const int col = c[j * rows + r];
        if (col >= 0) s += v[j * rows + r] * x[col];
    }
    y[r] = s;
}
"""


@hl.kernel(
    problem=dict(rows=3000, width=9, cols=2000),
    work=lambda p: hl.Work(flops=2 * p.rows * p.width, bytes=8 * p.rows * p.width),
    awkward=lambda p: [dict(rows=1, width=1, cols=1), dict(rows=67, width=5, cols=40)],
    tolerance=hl.Tolerance(terms=lambda p: p.width, absolute=1e-5),
)
class ell:
    def inputs(p, rng):
        c = rng.integers(0, p.cols, (p.width, p.rows)).astype("i4")
        c[rng.random((p.width, p.rows)) < 0.3] = -1
        return dict(
            v=rng.standard_normal((p.width, p.rows), "f4"),
            c=c,
            x=rng.standard_normal(p.cols, "f4"),
            y=hl.empty(p.rows),
            rows=np.int32(p.rows),
            width=np.int32(p.width),
        )

    def reference(p, v, c, x, y, rows, width):
        picked = np.where(c >= 0, x.astype("f8")[np.maximum(c, 0)], 0.0)
        return dict(y=(v.astype("f8") * picked).sum(axis=0))

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (-(-p.rows // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "guard", "column 0 is taken for padding", "col >= 0", "col > 0"),
    ("plain", "stride", "values are row-major", "v[j * rows + r] *", "v[r * width + j] *"),
    ("plain", "tail", "the last entry of each row is lost", "j < width", "j < width - 1"),
    (
        "plain",
        "padding",
        "padding counts as column 0",
        "if (col >= 0) s += v[j * rows + r] * x[col];",
        "s += v[j * rows + r] * x[max(col, 0)];",
    ),
    ("plain", "early", "stops at the first padding", "if (col >= 0) s", "if (col < 0) break; s"),
]
