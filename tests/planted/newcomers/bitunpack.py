"""Numbers of eleven bits from packed words, from the low bits up, added to a base for each block of 32 (frame of reference)."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uint *words, __global const int *base, __global int *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int bit = i * 11, w = bit >> 5, s = bit & 31;
    uint v = words[w] >> s;
    if (s > 21) v |= words[w + 1] << (32 - s);
    o[i] = (int)(v & 2047) + base[i / 32];
}
"""
BLOCK = """
__kernel void k(__global const uint *words, __global const int *base, __global int *o, const int n) {
    const int b = get_global_id(0);
    if (b * 32 >= n) return;
    ulong held = 0;
    int bits = 0, w = b * 11;
    const int last = min(32, n - b * 32);
    for (int j = 0; j < last; ++j) {
        if (bits < 11) { held |= (ulong)words[w++] << bits; bits += 32; }
        o[b * 32 + j] = (int)(held & 0x7FF) + base[b];
        held >>= 11;
        bits -= 11;
    }
}
"""


@hl.kernel(
    problem=dict(n=30000),
    work=lambda p: hl.Work(flops=3 * p.n, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=3), dict(n=33), dict(n=1000)],
)
class bitunpack:
    def inputs(p, rng):
        return dict(
            words=rng.integers(0, 1 << 32, -(-p.n * 11 // 32), dtype="u4"),
            base=rng.integers(-1000000, 1000000, -(-p.n // 32), dtype="i4"),
            o=hl.empty(p.n, "i4"),
            n=np.int32(p.n),
        )

    def reference(p, words, base, o, n):
        bits = np.unpackbits(words.view("u1"), bitorder="little")[: p.n * 11].reshape(p.n, 11)
        return dict(o=(bits.astype("i8") << np.arange(11)).sum(1) + np.repeat(base.astype("i8"), 32)[: p.n])

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    block = hl.OpenCL(BLOCK, "k", global_size=lambda p, c: (-(-p.n // 32),))


MUTANTS = [
    ("plain", "bounds", "the next word is taken one bit late", "if (s > 21)", "if (s > 22)"),
    (
        "plain",
        "over",
        "the next word is always read",
        "if (s > 21) v |= words[w + 1] << (32 - s);",
        "v |= (uint)((ulong)words[w + 1] << (32 - s));",
    ),
    ("plain", "type", "places of bits in 16 bits", "const int bit = i * 11", "const ushort bit = i * 11"),
    ("plain", "index", "a base for 64 numbers", "base[i / 32]", "base[i / 64 * 2]"),
    ("block", "mask", "ten bits", "held & 0x7FF", "held & 0x3FF"),
    ("block", "type", "the word is shifted in 32 bits", "(ulong)words[w++] << bits", "(ulong)(words[w++] << bits)"),
    ("block", "tail", "the last block is always whole", "min(32, n - b * 32)", "32"),
]
