"""Whole square roots of 32-bit numbers: by Newton's steps, and bit by bit."""

import numpy as np

import hotloop as hl

NEWTON = """
__kernel void k(__global const uint *x, __global ushort *r, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint v = x[i];
    ulong s = (ulong)sqrt((float)v);
    while (s * s > v) --s;
    while ((s + 1) * (s + 1) <= v) ++s;
    r[i] = (ushort)s;
}
"""
BITS = """
__kernel void k(__global const uint *x, __global ushort *r, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint v = x[i], root = 0, bit = 1u << 30;
    while (bit > v) bit >>= 2;
    while (bit) {
        if (v >= root + bit) { v -= root + bit; root = (root >> 1) + bit; } else root >>= 1;
        bit >>= 2;
    }
    r[i] = (ushort)root;
}
"""


@hl.kernel(
    problem=dict(n=9001),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=1025)],
)
class isqrt:
    def inputs(p, rng):
        x = rng.integers(0, 2**32, p.n, dtype="u4") >> rng.integers(0, 32, p.n, dtype="u4")
        root = rng.integers(0, 65536, p.n).astype("u8")
        near = root * root - (rng.integers(0, 2, p.n).astype("u8") & (root > 0))
        return dict(x=np.where(rng.random(p.n) < 0.5, x, near.astype("u4")), r=hl.empty(p.n, "u2"), n=np.int32(p.n))

    def reference(p, x, r, n):
        wide = x.astype("i8")
        root = np.sqrt(x.astype("f8")).astype("i8")
        root -= root * root > wide
        root += (root + 1) * (root + 1) <= wide
        return dict(r=root)

    newton = hl.OpenCL(NEWTON, "k", global_size=lambda p, c: (p.n,))
    bits = hl.OpenCL(BITS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("newton", "type", "squares in 32 bits", "ulong s = (ulong)sqrt", "uint s = (uint)sqrt"),
    ("newton", "rounding", "never one less", "    while (s * s > v) --s;\n", ""),
    ("bits", "compare", "a perfect square is rounded down", "v >= root + bit", "v > root + bit"),
    ("bits", "start", "begins two bits too low", "bit = 1u << 30", "bit = 1u << 28"),
]
