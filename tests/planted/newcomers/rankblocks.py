"""How many bits are set before given places of a string of bits: counts by block of 512 and popcounts within."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uint *words, __global const uint *before, __global const uint *at, __global uint *o, int q) {
    int i = get_global_id(0);
    if (i >= q) return;
    uint p = at[i], w = p >> 5, r = before[p >> 9];
    for (uint j = (p >> 9) << 4; j < w; ++j) r += popcount(words[j]);
    if (p & 31) r += popcount(words[w] & ((1u << (p & 31)) - 1));
    o[i] = r;
}
"""
B = """
__kernel void k(__global const uint *words, __global const uint *before, __global const uint *at, __global uint *o, int q) {
    for (int i = get_global_id(0); i < q; i += get_global_size(0)) {
        const uint p = at[i];
        uint r = before[p / 512];
        for (uint b = p / 512 * 512; b < p; ++b) r += words[b / 32] >> (b % 32) & 1;
        o[i] = r;
    }
}
"""


@hl.kernel(
    problem=dict(blocks=40, q=3000),
    work=lambda p: hl.Work(flops=30 * p.q, bytes=8 * p.q + 64 * p.blocks),
    awkward=lambda p: [dict(blocks=1, q=1), dict(blocks=3, q=70)],
)
class rankblocks:
    def inputs(p, rng):
        words = rng.integers(0, 1 << 32, 16 * p.blocks, dtype="u4")
        each = np.array([int(x).bit_count() for x in words]).reshape(-1, 16).sum(1)
        before = np.concatenate([[0], np.cumsum(each)]).astype("u4")
        return dict(
            words=words,
            before=before,
            at=rng.integers(0, 512 * p.blocks + 1, p.q, dtype="u4"),
            o=hl.empty(p.q, "uint32"),
            q=p.q,
        )

    def reference(p, words, before, at, o, q):
        bits = np.unpackbits(words.view("u1"), bitorder="little")
        total = np.concatenate([[0], np.cumsum(bits)])
        return dict(o=total[at])

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.q,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (256,))


MUTANTS = [
    ("a", "limit", "the bit itself counts", "(1u << (p & 31)) - 1", "(2u << (p & 31)) - 1"),
    ("a", "bounds", "the word behind the end is read", "if (p & 31) r +=", "r +="),
    ("a", "limit", "the last word of a block is left out", "j < w; ++j", "j + 1 < w; ++j"),
    (
        "a",
        "sign",
        "signed shift of the mask at 31",
        "((1u << (p & 31)) - 1)",
        "(p % 32 == 31 ? 0 : (1u << (p & 31)) - 1)",
    ),
    ("b", "narrow", "counts in 16 bits from", "uint r = before", "ushort r = before"),
    ("b", "stride", "every other is left out", "i += get_global_size(0)", "i += 2 * get_global_size(0)"),
]
