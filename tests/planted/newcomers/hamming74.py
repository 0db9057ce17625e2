"""Seven bits of a Hamming code corrected to four, and where the wrong one stood."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uchar *c, __global uchar *d, __global uchar *at, const int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    uint v = c[i] & 127, s = 0;
    for (int j = 1; j < 8; ++j) if (v >> (j - 1) & 1) s ^= j;
    if (s) v ^= 1 << (s - 1);
    d[i] = (v >> 2 & 1) | (v >> 3 & 14);
    at[i] = s;
}
"""
B = """
__kernel void k(__global const uchar *c, __global uchar *d, __global uchar *at, const int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    uint v = c[i], s = (popcount(v & 0x55) & 1) | (popcount(v & 0x66) & 1) << 1 | (popcount(v & 0x78) & 1) << 2;
    v ^= (1 << s) >> 1;
    d[i] = (v >> 2 & 1) | (v >> 4 & 7) << 1;
    at[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=3 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77)],
)
class hamming74:
    def inputs(p, rng):
        return dict(c=rng.integers(0, 256, p.n, dtype="u1"), d=hl.empty(p.n, "uint8"), at=hl.empty(p.n, "uint8"), n=p.n)

    def reference(p, c, d, at, n):
        v = c.astype("i4") & 127
        bits = (v[:, None] >> np.arange(7)) & 1
        s = np.bitwise_xor.reduce(bits * np.arange(1, 8), axis=1)
        v = np.where(s > 0, v ^ (1 << np.maximum(s - 1, 0)), v)
        return dict(d=((v >> 2 & 1) | (v >> 4 & 7) << 1).astype("u1"), at=s.astype("u1"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bits", "a bit of the check for the first one", "(v >> 2 & 1) |", "(v >> 1 & 1) |"),
    ("a", "limit", "the last bit is not looked at", "j < 8", "j < 7"),
    ("a", "case", "nothing is corrected", "if (s) v ^= 1 << (s - 1);", ""),
    ("a", "bits", "the bits of the data lie one lower", "v >> 3 & 14", "v >> 4 & 14"),
    ("b", "mask", "a check without its last bit", "v & 0x66", "v & 0x26"),
    ("b", "mask", "the eighth bit counts", "v & 0x78", "v & 0xf8"),
    ("b", "shift", "corrects one bit further", "(1 << s) >> 1", "(1 << s)"),
]
