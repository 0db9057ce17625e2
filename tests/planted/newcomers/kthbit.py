"""Place of the k-th set bit of 64-bit words (select): by halves with popcounts, and one bit after the other."""

import numpy as np

import hotloop as hl

HALVES = """
__kernel void k(__global const ulong *w, __global const uchar *rank, __global char *place, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong v = w[i];
    int left = rank[i], at = 0;
    if (left >= (int)popcount(v)) { place[i] = -1; return; }
    for (int part = 32; part; part >>= 1) {
        const int low = (int)popcount(v & ((1ul << part) - 1));
        if (left >= low) { left -= low; at += part; v >>= part; }
    }
    place[i] = (char)at;
}
"""
ONES = """
__kernel void k(__global const ulong *w, __global const uchar *rank, __global char *place, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong v = w[i];
    for (int left = rank[i]; left > 0 && v; --left) v &= v - 1;
    place[i] = v ? (char)(63 - clz(v & -v)) : (char)-1;
}
"""


@hl.kernel(
    problem=dict(n=7001),
    work=lambda p: hl.Work(flops=0, bytes=10 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=500)],
    domain=dict(rank="range"),
)
class kthbit:
    def inputs(p, rng):
        w = rng.integers(0, 2**64, p.n, dtype="u8") & rng.integers(0, 2**64, p.n, dtype="u8")
        return dict(w=w, rank=rng.integers(0, 40, p.n, dtype="u1"), place=hl.empty(p.n, "i1"), n=np.int32(p.n))

    def reference(p, w, rank, place, n):
        bits = (w[:, None] >> np.arange(64, dtype="u8")[None]) & np.uint64(1)
        before = np.cumsum(bits, 1)
        hit = (bits == 1) & (before == rank[:, None].astype("u8") + np.uint64(1))
        return dict(place=np.where(hit.any(1), np.argmax(hit, 1), -1))

    halves = hl.OpenCL(HALVES, "k", global_size=lambda p, c: (p.n,))
    ones = hl.OpenCL(ONES, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("halves", "compare", "a rank that equals the low part's count stays there", "left >= low)", "left > low)"),
    ("halves", "type", "the mask in 32 bits", "(1ul << part)", "(ulong)(1u << part)"),
    ("halves", "limit", "one more than there are", "left >= (int)popcount(v)) {", "left > (int)popcount(v)) {"),
    ("ones", "order", "from the other end", "63 - clz(v & -v)", "63 - clz(v)"),
    ("ones", "off-by-one", "one too few are taken away", "left > 0 && v", "left > 1 && v"),
]
