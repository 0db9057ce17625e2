"""Blocks of 32 floats to E2M1 with a shared exponent (MXFP4): eight codes of four bits a word, scales of a byte."""

import numpy as np

import hotloop as hl

A = """
__kernel void quant(__global const float *x, __global uint *q, __global uchar *e, const int blocks) {
    const int b = get_global_id(0);
    if (b >= blocks) return;
    float top = 0.0f;
    for (int i = 0; i < 32; ++i) top = fmax(top, fabs(x[32 * b + i]));
    int shared = top == 0.0f ? -127 : max(ilogb(top) - 2, -127);
    e[b] = shared + 127;
    for (int w = 0; w < 4; ++w) {
        uint word = 0;
        for (int i = 0; i < 8; ++i) {
            const float v = ldexp(x[32 * b + 8 * w + i], -shared);
            const float a = fabs(v);
            uint c = a <= 0.25f ? 0 : a < 0.75f ? 1 : a <= 1.25f ? 2 : a < 1.75f ? 3 : a <= 2.5f ? 4 : a < 3.5f ? 5 : a <= 5.0f ? 6 : 7;
            if (signbit(v)) c |= 8;
            word |= c << (4 * i);
        }
        q[4 * b + w] = word;
    }
}
"""


@hl.kernel(
    problem=dict(blocks=400),
    work=lambda p: hl.Work(flops=64 * p.blocks, bytes=145 * p.blocks),
    awkward=lambda p: [dict(blocks=1), dict(blocks=67)],
    domain=dict(x="finite"),
)
class mxfour:
    def inputs(p, rng):
        scale = 2.0 ** rng.integers(-20, 20, (p.blocks, 1))
        return dict(
            x=(rng.standard_normal((p.blocks, 32)) * scale).astype("f4"),
            q=hl.empty((p.blocks, 4), "u4"),
            e=hl.empty(p.blocks, "u1"),
            blocks=p.blocks,
        )

    def reference(p, x, q, e, blocks):
        wide = x.astype("f8")
        top = np.abs(wide).max(1)
        shared = np.where(top == 0, -127, np.maximum(np.frexp(np.where(top == 0, 1, top))[1] - 3, -127))
        a = np.abs(wide) * 2.0 ** -shared[:, None].astype("f8")
        grid = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
        c = np.zeros(a.shape, "u8")
        for i in range(1, 8):
            middle = (grid[i] + grid[i - 1]) / 2
            c = np.where((a > middle) | ((a == middle) & (i % 2 == 0)), i, c)
        c = c | np.where(np.signbit(wide), 8, 0).astype("u8")
        words = (c.reshape(blocks, 4, 8) << (4 * np.arange(8, dtype="u8"))).sum(2)
        return dict(q=words, e=shared + 127)

    a = hl.OpenCL(A, "quant", global_size=lambda p, c: (p.blocks,))


MUTANTS = [
    ("a", "ties", "halves up", "a <= 1.25f ? 2", "a < 1.25f ? 2"),
    ("a", "ties", "halves down", "a < 0.75f ? 1", "a <= 0.75f ? 1"),
    ("a", "zero", "blocks of zeros have scale one", "top == 0.0f ? -127 :", "top == 0.0f ? 0 :"),
    ("a", "sign", "negative zero has no sign", "if (signbit(v)) c |= 8;", "if (v < 0) c |= 8;"),
    ("a", "exponent", "exponents are rounded", "ilogb(top) - 2", "ilogb(top * 1.125f) - 2"),
    ("a", "order", "codes from the top", "c << (4 * i)", "c << (28 - 4 * i)"),
]
