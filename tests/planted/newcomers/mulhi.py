"""Products of 64-bit numbers in 128 bits: with mul_hi, and from four products of halves."""

import numpy as np

import hotloop as hl

BUILTIN = """
__kernel void k(__global const ulong *a, __global const ulong *b, __global ulong *low, __global ulong *high, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    low[i] = a[i] * b[i];
    high[i] = mul_hi(a[i], b[i]);
}
"""
PARTS = """
__kernel void k(__global const ulong *a, __global const ulong *b, __global ulong *low, __global ulong *high, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ulong m = 0xFFFFFFFFul;
    const ulong x0 = a[i] & m, x1 = a[i] >> 32, y0 = b[i] & m, y1 = b[i] >> 32;
    const ulong p = x0 * y0, q = x0 * y1, r = x1 * y0, s = x1 * y1;
    const ulong mid = (p >> 32) + (q & m) + (r & m);
    low[i] = (p & m) | mid << 32;
    high[i] = s + (q >> 32) + (r >> 32) + (mid >> 32);
}
"""


@hl.kernel(
    problem=dict(n=6001),
    work=lambda p: hl.Work(flops=0, bytes=32 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=300)],
)
class mulhi:
    def inputs(p, rng):
        return dict(
            a=rng.integers(0, 2**64, p.n, dtype="u8"),
            b=rng.integers(0, 2**64, p.n, dtype="u8"),
            low=hl.empty(p.n, "u8"),
            high=hl.empty(p.n, "u8"),
            n=np.int32(p.n),
        )

    def reference(p, a, b, low, high, n):
        whole = [int(x) * int(y) for x, y in zip(a, b, strict=True)]
        return dict(low=np.array([w & (2**64 - 1) for w in whole], "u8"), high=np.array([w >> 64 for w in whole], "u8"))

    builtin = hl.OpenCL(BUILTIN, "k", global_size=lambda p, c: (p.n,))
    parts = hl.OpenCL(PARTS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("builtin", "sign", "as signed numbers", "mul_hi(a[i], b[i])", "(ulong)mul_hi((long)a[i], (long)b[i])"),
    ("parts", "carry", "the carry of the middle is lost", " + (mid >> 32);", ";"),
    ("parts", "carry", "the low product's carry is lost", "(p >> 32) + (q & m)", "(q & m)"),
    ("parts", "mask", "a mask of 31 bits", "m = 0xFFFFFFFFul", "m = 0x7FFFFFFFul"),
]
