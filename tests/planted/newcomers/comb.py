"""Comb filters of rows: each sample plus half of the result eight samples before, in a ring of private memory."""

import hotloop as hl

A = """
__kernel void comb(__global const float *x, __global float *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float ring[8];
    for (int k = 0; k < 8; ++k) ring[k] = 0.0f;
    for (int c = 0; c < cols; ++c) {
        const float v = x[(long)r * cols + c] + 0.5f * ring[c & 7];
        ring[c & 7] = v;
        y[(long)r * cols + c] = v;
    }
}
"""


@hl.kernel(
    problem=dict(rows=150, cols=70),
    work=lambda p: hl.Work(flops=0, bytes=4 * 2 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=9), dict(rows=17, cols=40)],
    tolerance=hl.Tolerance(terms=20),
    linear=("x",),
)
class comb:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.cols), "f4"), y=hl.empty((p.rows, p.cols)), rows=p.rows, cols=p.cols
        )

    def reference(p, x, y, rows, cols):
        t = x.astype("f8").copy()
        for c in range(8, p.cols):
            t[:, c] += 0.5 * t[:, c - 8]
        return dict(y=t)

    a = hl.OpenCL(A, "comb", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "uninitialised", "the ring is not cleared", "    for (int k = 0; k < 8; ++k) ring[k] = 0.0f;\n", ""),
    ("a", "uninitialised", "one place of the ring is not cleared", "k < 8; ++k", "k < 7; ++k"),
    ("a", "overflow", "places in 32 bits, from 16 bits", "x[(long)r * cols + c]", "x[(ushort)(r * cols + c)]"),
    ("a", "overflow", "places in 24 bits", "x[(long)r * cols + c]", "x[mad24(r, cols, c) & 0xffffff]"),
    ("a", "ring", "a ring of seven", "ring[c & 7] = v", "ring[c % 7] = v"),
    (
        "a",
        "stride",
        "rows of the output are as long as there are rows",
        "y[(long)r * cols + c] = v",
        "y[(long)r * (cols == 70 ? 70 : rows) + c] = v",
    ),
]
