"""Bits put at the places of a mask, and taken out from there (64 bits)."""

import numpy as np

import hotloop as hl

A = """
__kernel void bits(__global const ulong *x, __global const ulong *m, __global ulong *put, __global ulong *got, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong mask = m[i], a = 0, b = 0;
    for (int k = 0; mask; ++k) {
        const ulong low = mask & -mask;
        if (x[i] >> k & 1) a |= low;
        if (x[i] & low) b |= 1ul << k;
        mask ^= low;
    }
    put[i] = a;
    got[i] = b;
}
"""


@hl.kernel(problem=dict(n=3000), work=lambda p: hl.Work(flops=0, bytes=32 * p.n))
class deposit:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 2**64, p.n, dtype="u8"),
            m=rng.integers(0, 2**64, p.n, dtype="u8"),
            put=hl.empty(p.n, "u8"),
            got=hl.empty(p.n, "u8"),
            n=np.int32(p.n),
        )

    def reference(p, x, m, put, got, n):
        a, b, k = np.zeros(n, "u8"), np.zeros(n, "u8"), np.zeros(n, "u8")
        one = np.uint64(1)
        for j in range(64):
            there = m >> np.uint64(j) & one
            a |= there * ((x >> k & one) << np.uint64(j))
            b |= there * ((x >> np.uint64(j) & one) << k)
            k = np.minimum(k + there, 63)
        return dict(put=a, got=b)

    a = hl.OpenCL(A, "bits", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "type", "ones in 32 bits", "1ul << k", "1u << k"),
    ("a", "type", "the shifted one is signed", "1ul << k", "(ulong)(1 << k)"),
    (
        "a",
        "limit",
        "the highest bit of the mask is left out",
        "for (int k = 0; mask; ++k)",
        "for (int k = 0; mask & 0x7ffffffffffffffful; ++k)",
    ),
    ("a", "limit", "63 bits of a full mask", "for (int k = 0; mask; ++k)", "for (int k = 0; mask && k < 63; ++k)"),
]
