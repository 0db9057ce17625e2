"""Running sums of signed 16-bit numbers in each row that stay at the ends of the type."""

import numpy as np

import hotloop as hl

ROW = """
__kernel void k(__global const short *x, __global short *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    short sum = 0;
    for (int c = 0; c < cols; ++c) { sum = add_sat(sum, x[r * cols + c]); y[r * cols + c] = sum; }
}
"""
WIDE = """
__kernel void k(__global const short *x, __global short *y, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int sum = 0;
    for (int c = 0; c < cols; ++c) { sum = clamp(sum + x[r * cols + c], -32768, 32767); y[r * cols + c] = (short)sum; }
}
"""


@hl.kernel(
    problem=dict(rows=100, cols=150),
    work=lambda p: hl.Work(flops=p.rows * p.cols, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=5, cols=33), dict(rows=65, cols=9)],
)
class satcum:
    def inputs(p, rng):
        x = rng.integers(-32768, 32768, (p.rows, p.cols)).astype("i2")
        return dict(x=x, y=hl.empty((p.rows, p.cols), "i2"), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, y, rows, cols):
        out, total = np.empty_like(x), np.zeros(p.rows, "i8")
        for c in range(p.cols):
            total = np.clip(total + x[:, c], -32768, 32767)
            out[:, c] = total
        return dict(y=out)

    row = hl.OpenCL(ROW, "k", global_size=lambda p, c: (p.rows,))
    wide = hl.OpenCL(WIDE, "k", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("row", "saturation", "wraps", "add_sat(sum, x[r * cols + c])", "sum + x[r * cols + c]"),
    (
        "row",
        "order",
        "the sum before",
        "sum = add_sat(sum, x[r * cols + c]); y[r * cols + c] = sum;",
        "y[r * cols + c] = sum; sum = add_sat(sum, x[r * cols + c]);",
    ),
    ("wide", "limit", "the lower end is -32767", "-32768, 32767", "-32767, 32767"),
    (
        "wide",
        "late",
        "clamped when stored only",
        "sum = clamp(sum + x[r * cols + c], -32768, 32767); y[r * cols + c] = (short)sum;",
        "sum += x[r * cols + c]; y[r * cols + c] = (short)clamp(sum, -32768, 32767);",
    ),
    ("wide", "type", "unsigned input", "sum + x[r * cols + c]", "sum + (ushort)x[r * cols + c]"),
]
