"""Strands of bases, four to a byte, reversed and complemented; lengths need not be multiples of four."""

import numpy as np

import hotloop as hl

A = """
__kernel void turn(__global const uchar *x, __global uchar *y, const int rows, const int length) {
    const int b = get_global_id(0), r = get_global_id(1), row = (length + 3) / 4;
    if (b >= row || r >= rows) return;
    uint made = 0;
    for (int k = 0; k < 4; ++k) {
        const int at = 4 * b + k;
        if (at >= length) break;
        const int from = length - 1 - at;
        made |= (3 - (x[r * row + from / 4] >> 2 * (from % 4) & 3)) << 2 * k;
    }
    y[r * row + b] = made;
}
"""


@hl.kernel(
    problem=dict(rows=100, length=151),
    work=lambda p: hl.Work(flops=0, bytes=p.rows * p.length // 2),
    awkward=lambda p: [dict(rows=1, length=1), dict(rows=7, length=64), dict(rows=3, length=30)],
)
class revcomp:
    def inputs(p, rng):
        row = (p.length + 3) // 4
        return dict(
            x=rng.integers(0, 256, (p.rows, row), dtype="u1"),
            y=hl.empty((p.rows, row), "u1"),
            rows=p.rows,
            length=p.length,
        )

    def reference(p, x, y, rows, length):
        bases = (x[:, :, None] >> 2 * np.arange(4) & 3).reshape(rows, -1)[:, :length]
        turned = np.zeros((rows, x.shape[1] * 4), "i8")
        turned[:, :length] = 3 - bases[:, ::-1].astype("i8")
        return dict(y=(turned.reshape(rows, -1, 4) << 2 * np.arange(4)).sum(2))

    a = hl.OpenCL(A, "turn", global_size=lambda p, c: ((p.length + 3) // 4, p.rows))


MUTANTS = [
    ("a", "tail", "whole bytes are turned", "const int from = length - 1 - at;", "const int from = 4 * row - 1 - at;"),
    (
        "a",
        "complement",
        "not complemented",
        "(3 - (x[r * row + from / 4] >> 2 * (from % 4) & 3))",
        "(x[r * row + from / 4] >> 2 * (from % 4) & 3)",
    ),
    ("a", "order", "bases of a byte from the top", ">> 2 * (from % 4)", ">> 6 - 2 * (from % 4)"),
    ("a", "stride", "rows of whole quarters", "row = (length + 3) / 4;", "row = max(length / 4, 1);"),
]
