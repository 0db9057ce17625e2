"""Blocks of eight by eight in the order of JPEG, quantised to the nearest with a dead zone."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const short *b, __global const short *q, __global short *o, const int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    int x = 0, y = 0;
    for (int s = 0; s < 64; ++s) {
        int v = b[i * 64 + y * 8 + x], d = q[y * 8 + x], m = (abs(v) + d / 3) / d;
        o[i * 64 + s] = v < 0 ? -m : m;
        if ((x + y) & 1) { if (y == 7) ++x; else if (x == 0) ++y; else { --x; ++y; } }
        else { if (x == 7) ++y; else if (y == 0) ++x; else { ++x; --y; } }
    }
}
"""
B = """
__kernel void k(__global const short *b, __global const short *q, __global short *o, const int n) {
    int g = get_global_id(0);
    if (g >= n * 64) return;
    int i = g / 64, p = g % 64, y = p / 8, x = p % 8, s = x + y;
    int before = s < 8 ? s * (s + 1) / 2 : 64 - (15 - s) * (16 - s) / 2, along = s & 1 ? (s < 8 ? y : y - s + 7) : (s < 8 ? x : x - s + 7);
    int v = b[g], d = q[p], m = (abs(v) + d / 3) / d;
    o[i * 64 + before + along] = v < 0 ? -m : m;
}
"""


@hl.kernel(
    problem=dict(n=60),
    work=lambda p: hl.Work(flops=400 * p.n, bytes=256 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=33)],
    domain=dict(q="fixed"),
)
class zigzag:
    def inputs(p, rng):
        q = (10 + 3 * (np.arange(8)[:, None] + np.arange(8))).astype("i2")
        return dict(b=rng.integers(-2048, 2048, (p.n, 64), dtype="i2"), q=q, o=hl.empty((p.n, 64), "int16"), n=p.n)

    def reference(p, b, q, o, n):
        at = sorted(range(64), key=lambda c: (c // 8 + c % 8, (c // 8 if (c // 8 + c % 8) & 1 else c % 8)))
        v, d = b.astype("i4"), q.reshape(-1).astype("i4")
        m = (np.abs(v) + d // 3) // d
        return dict(o=np.where(v < 0, -m, m)[:, at].astype("i2"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n * 64,))


MUTANTS = [
    ("a", "order", "turns the other way", "if ((x + y) & 1)", "if (!((x + y) & 1))"),
    ("a", "limit", "no dead zone", "d / 3) / d", "d / 2) / d"),
    (
        "a",
        "sign",
        "negative ones are rounded down",
        "(abs(v) + d / 3) / d;\n        o[i * 64 + s] = v < 0 ? -m : m",
        "(v + d / 3) / d;\n        o[i * 64 + s] = m",
    ),
    ("a", "limit", "the last place is left", "s < 64", "s < 63"),
    ("b", "narrow", "the last diagonals", "64 - (15 - s) * (16 - s) / 2", "63 - (15 - s) * (16 - s) / 2"),
    ("b", "swap", "columns for rows", "y = p / 8, x = p % 8", "x = p / 8, y = p % 8"),
    ("b", "index", "steps of another place", "d = q[p]", "d = q[p ^ 1]"),
]
