"""Numbers of bits in which codes differ from each of some others."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const ulong *a, __global const ulong *b, __global uchar *o, const int n, const int m) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (j >= m || i >= n) return;
    o[i * m + j] = (uchar)popcount(a[i] ^ b[j]);
}
"""
SWAR = """
__kernel void k(__global const ulong *a, __global const ulong *b, __global uchar *o, const int n, const int m) {
    const int at = get_global_id(0);
    if (at >= n * m) return;
    ulong v = a[at / m] ^ b[at % m];
    v -= (v >> 1) & 0x5555555555555555UL;
    v = (v & 0x3333333333333333UL) + ((v >> 2) & 0x3333333333333333UL);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fUL;
    o[at] = (uchar)((v * 0x0101010101010101UL) >> 56);
}
"""


@hl.kernel(
    problem=dict(n=100, m=80),
    work=lambda p: hl.Work(flops=p.n * p.m, bytes=p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=33, m=5), dict(n=2, m=65)],
)
class hamming:
    def inputs(p, rng):
        q = lambda size: rng.integers(0, 1 << 64, size, dtype="u8")
        return dict(a=q(p.n), b=q(p.m), o=hl.empty((p.n, p.m), "uint8"), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, a, b, o, n, m):
        bits = np.unpackbits((a[:, None] ^ b[None]).view("u1").reshape(p.n, p.m, 8), axis=2)
        return dict(o=bits.sum(axis=2))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.m, p.n))
    swar = hl.OpenCL(SWAR, "k", global_size=lambda p, c: (p.n * p.m,))


MUTANTS = [
    ("plain", "narrow", "the lower half only", "popcount(a[i] ^ b[j])", "popcount((uint)(a[i] ^ b[j]))"),
    ("plain", "operator", "and for exclusive or", "a[i] ^ b[j]", "a[i] & b[j]"),
    ("plain", "index", "rows and columns exchanged", "a[i] ^ b[j]", "a[min(j, n - 1)] ^ b[min(i, m - 1)]"),
    ("plain", "narrow", "cut to six bits", "(uchar)popcount", "(uchar)63 & (uchar)popcount"),
    (
        "swar",
        "constant",
        "a nibble of a mask",
        "0x3333333333333333UL) + ((v >> 2)",
        "0x3333333333333331UL) + ((v >> 2)",
    ),
    ("swar", "constant", "a mask of 32 bits", "& 0x5555555555555555UL", "& 0x55555555UL"),
    ("swar", "shift", "by one less", ">> 56", ">> 55"),
    ("swar", "index", "rows of another length", "b[at % m]", "b[at % (m - (m > 1))]"),
]
