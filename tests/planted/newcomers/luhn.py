"""Check digits of card numbers by Luhn: whether sixteen digits are valid, and the sum."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uchar *c, __global int *total, __global uchar *ok, const int n, const int w) {
    int i = get_global_id(0), s = 0;
    if (i >= n) return;
    for (int j = 0; j < w; ++j) { int v = c[i * w + w - 1 - j]; if (j & 1) { v *= 2; if (v > 9) v -= 9; } s += v; }
    total[i] = s; ok[i] = s % 10 == 0;
}
"""
B = """
__kernel void k(__global const uchar *c, __global int *total, __global uchar *ok, const int n, const int w) {
    __local int part[64];
    int i = get_group_id(0), t = get_local_id(0), s = 0;
    for (int j = t; j < w; j += 64) { int v = c[i * w + j]; if ((w - j) % 2 == 0) v = v < 5 ? 2 * v : 2 * v - 9; s += v; }
    part[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 32; h > 0; h /= 2) { if (t < h) part[t] += part[t + h]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (t == 0) { total[i] = part[0]; ok[i] = part[0] % 10 == 0; }
}
"""


@hl.kernel(
    problem=dict(n=700, w=16),
    work=lambda p: hl.Work(flops=3 * p.n * p.w, bytes=p.n * (p.w + 5)),
    awkward=lambda p: [dict(n=1, w=1), dict(n=33, w=19), dict(n=5, w=200)],
    domain=dict(c="range"),
)
class luhn:
    def inputs(p, rng):
        return dict(
            c=rng.integers(0, 10, (p.n, p.w), dtype="u1"),
            total=hl.empty(p.n, "int32"),
            ok=hl.empty(p.n, "uint8"),
            n=p.n,
            w=p.w,
        )

    def reference(p, c, total, ok, n, w):
        v = c[:, ::-1].astype("i4")
        v[:, 1::2] *= 2
        s = np.where(v > 9, v - 9, v).sum(1)
        return dict(total=s, ok=(s % 10 == 0).astype("u1"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "order", "from the left", "c[i * w + w - 1 - j]", "c[i * w + j]"),
    ("a", "limit", "ten stays ten", "v > 9", "v > 10"),
    ("a", "constant", "less ten", "v -= 9", "v -= 10"),
    ("a", "limit", "the last digit is left out", "j < w; ++j", "j < w - 1; ++j"),
    ("b", "limit", "five is doubled as it is", "v < 5", "v < 6"),
    ("b", "race", "no barrier within the sum", "part[t + h]; barrier(CLK_LOCAL_MEM_FENCE); }", "part[t + h]; }"),
    ("b", "loop", "not the last halving", "h > 0", "h > 1"),
    ("b", "parity", "odd places of odd widths", "(w - j) % 2 == 0", "j % 2 == 0"),
]
