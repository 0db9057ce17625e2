"""Gray codes of 64-bit numbers and back, and the bit in which neighbours differ."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const ulong *x, __global ulong *g, __global ulong *b, __global uchar *bit, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ulong v = x[i];
    g[i] = v ^ (v >> 1);
    ulong w = v;
    for (int s = 1; s < 64; s <<= 1) w ^= w >> s;
    b[i] = w;
    bit[i] = v == ~0ul ? 64 : (uchar)popcount(v & ~(v + 1));
}
"""


@hl.kernel(
    problem=dict(n=5001),
    work=lambda p: hl.Work(flops=0, bytes=25 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=300)],
)
class graycode:
    def inputs(p, rng):
        x = rng.integers(0, 2**64, p.n, dtype="u8") >> rng.integers(0, 64, p.n, dtype="u8")
        return dict(x=x, g=hl.empty(p.n, "u8"), b=hl.empty(p.n, "u8"), bit=hl.empty(p.n, "u1"), n=np.int32(p.n))

    def reference(p, x, g, b, bit, n):
        w = x.copy()
        for s in range(1, 64):
            w ^= x >> np.uint64(s)
        low = [(int(v) ^ (int(v) + 1)).bit_length() - 1 for v in x]
        return dict(g=x ^ (x >> np.uint64(1)), b=w, bit=np.array(low, "i8"))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "limit", "the last halving is left out", "s < 64; s <<= 1", "s < 32; s <<= 1"),
    (
        "plain",
        "type",
        "low bits of 32 only",
        "(uchar)popcount(v & ~(v + 1))",
        "(uchar)popcount((uint)v & ~((uint)v + 1))",
    ),
    ("plain", "sign", "the sign is shifted in", "v ^ (v >> 1)", "v ^ (ulong)((long)v >> 1)"),
]
