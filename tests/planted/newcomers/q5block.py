"""Products of a vector with rows of five-bit numbers in blocks of 32: scale and least value in half precision, fifth bits apart."""

import numpy as np

import hotloop as hl

ROW = """
__kernel void k(__global const half *dm, __global const uint *high, __global const uchar *low, __global const float *x, __global float *y, const int rows, const int blocks) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0.0f;
    for (int b = 0; b < blocks; ++b) {
        const int at = r * blocks + b;
        const float d = vload_half(2 * at, dm), m = vload_half(2 * at + 1, dm);
        const uint h = high[at];
        float part = 0.0f, ones = 0.0f;
        for (int j = 0; j < 16; ++j) {
            const uchar q = low[16 * at + j];
            const int lo = (q & 15) | (h >> j & 1) << 4, hi = (q >> 4) | (h >> (j + 16) & 1) << 4;
            part += lo * x[32 * b + j] + hi * x[32 * b + j + 16];
            ones += x[32 * b + j] + x[32 * b + j + 16];
        }
        sum += d * part + m * ones;
    }
    y[r] = sum;
}
"""


@hl.kernel(
    problem=dict(rows=200, blocks=8),
    work=lambda p: hl.Work(flops=128 * p.rows * p.blocks, bytes=24 * p.rows * p.blocks),
    awkward=lambda p: [dict(rows=1, blocks=1), dict(rows=65, blocks=3)],
    tolerance=hl.Tolerance(terms=lambda p: 64 * p.blocks),
)
class q5block:
    def inputs(p, rng):
        n = p.rows * p.blocks
        return dict(
            dm=np.stack([0.1 * rng.random(n), -rng.random(n)], 1).astype("f2"),
            high=rng.integers(0, 2**32, n, dtype="u4"),
            low=rng.integers(0, 256, (n, 16)).astype("u1"),
            x=rng.standard_normal(32 * p.blocks).astype("f4"),
            y=hl.empty(p.rows),
            rows=np.int32(p.rows),
            blocks=np.int32(p.blocks),
        )

    def reference(p, dm, high, low, x, y, rows, blocks):
        bits = (high[:, None] >> np.arange(32, dtype="u4")) & 1
        q = np.concatenate([low & 15, low >> 4], axis=1) + 16 * bits
        w = dm[:, :1].astype("f8") * q + dm[:, 1:].astype("f8")
        return dict(y=w.reshape(p.rows, -1) @ x.astype("f8"))

    def magnitude(p, dm, high, low, x, y, rows, blocks):
        w = np.abs(dm[:, :1].astype("f8")) * 31 + np.abs(dm[:, 1:].astype("f8"))
        return dict(y=np.repeat(w, 32, 1).reshape(p.rows, -1) @ np.abs(x.astype("f8")))

    row = hl.OpenCL(ROW, "k", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("row", "bits", "the upper half takes the lower half's fifth bits", "h >> (j + 16) & 1", "h >> j & 1"),
    (
        "row",
        "offset",
        "the least value counts in the lower half only",
        "ones += x[32 * b + j] + x[32 * b + j + 16];",
        "ones += x[32 * b + j];",
    ),
    (
        "row",
        "sign",
        "numbers are centred at sixteen",
        "lo = (q & 15) | (h >> j & 1) << 4",
        "lo = ((q & 15) | (h >> j & 1) << 4) - 16",
    ),
    (
        "row",
        "order",
        "nibbles beside one another",
        "lo * x[32 * b + j] + hi * x[32 * b + j + 16]",
        "lo * x[32 * b + 2 * j] + hi * x[32 * b + 2 * j + 1]",
    ),
    ("row", "scale", "the first block's scale for all", "vload_half(2 * at, dm)", "vload_half(2 * (at - b), dm)"),
]
