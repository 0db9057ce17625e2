"""Transposed 8 x 8 matrices of bits, one in each 64-bit word."""

import numpy as np

import hotloop as hl

SWAPS = """
__kernel void k(__global const ulong *x, __global ulong *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong v = x[i], t;
    t = (v ^ (v >> 7)) & 0x00AA00AA00AA00AAUL; v ^= t ^ (t << 7);
    t = (v ^ (v >> 14)) & 0x0000CCCC0000CCCCUL; v ^= t ^ (t << 14);
    t = (v ^ (v >> 28)) & 0x00000000F0F0F0F0UL; v ^= t ^ (t << 28);
    o[i] = v;
}
"""
LOOP = """
__kernel void k(__global const ulong *x, __global ulong *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ulong v = x[i];
    ulong r = 0;
    for (int row = 0; row < 8; ++row)
        for (int col = 0; col < 8; ++col) r |= ((v >> (8 * row + col)) & 1UL) << (8 * col + row);
    o[i] = r;
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=18 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1023)],
)
class bitmatrix:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 2**64, p.n, dtype="u8"), o=hl.empty(p.n, "u8"), n=np.int32(p.n))

    def reference(p, x, o, n):
        bits = np.unpackbits(x.astype("<u8").view("u1").reshape(-1, 8, 1), axis=2, bitorder="little")
        back = np.packbits(bits.transpose(0, 2, 1), axis=2, bitorder="little")
        return dict(o=np.ascontiguousarray(back).reshape(-1, 8).view("<u8").ravel())

    swaps = hl.OpenCL(SWAPS, "k", global_size=lambda p, c: (p.n,))
    loop = hl.OpenCL(LOOP, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("swaps", "constant", "one bit of a mask is missing", "0x0000CCCC0000CCCCUL", "0x0000CCCC00008CCCUL"),
    (
        "swaps",
        "type",
        "the last step in 32 bits",
        "t = (v ^ (v >> 28)) & 0x00000000F0F0F0F0UL; v ^= t ^ (t << 28)",
        "t = (v ^ (v >> 28)) & 0x00000000F0F0F0F0UL; v ^= t ^ (ulong)((uint)t << 28)",
    ),
    ("loop", "shift", "a 32-bit one is shifted", "& 1UL) <<", "& 1UL ? 1 : 0) <<"),
    ("loop", "last", "the last column", "col < 8", "col < 7"),
]
