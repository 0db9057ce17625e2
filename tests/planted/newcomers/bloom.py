"""A Bloom filter: three bits of each key are set, then other keys are looked up."""

import numpy as np

import hotloop as hl

SET = """
uint mix(uint k, uint salt) {
    k = (k ^ salt) * 0x85EBCA6Bu;
    k ^= k >> 13;
    k *= 0xC2B2AE35u;
    return k ^ k >> 16;
}
__kernel void k(__global const uint *keys, __global uint *bits, const int n, const uint words) {
    const int i = get_global_id(0);
    if (i >= n) return;
    for (uint s = 0; s < 3; ++s) {
        const uint h = mix(keys[i], s) % (words * 32);
        atomic_or(&bits[h >> 5], 1u << (h & 31));
    }
}
"""


def mixed(keys, salt):
    k = ((keys ^ np.uint64(salt)) * np.uint64(0x85EBCA6B)) & np.uint64(0xFFFFFFFF)
    k ^= k >> np.uint64(13)
    k = (k * np.uint64(0xC2B2AE35)) & np.uint64(0xFFFFFFFF)
    return k ^ k >> np.uint64(16)


@hl.kernel(
    problem=dict(n=5000, words=3001),
    work=lambda p: hl.Work(flops=8 * p.n, bytes=4 * p.n + 8 * p.words),
    awkward=lambda p: [dict(n=1, words=1), dict(n=300, words=7), dict(n=65, words=64)],
)
class bloom:
    def inputs(p, rng):
        return dict(
            keys=rng.integers(0, 1 << 32, p.n, dtype="u4"),
            bits=rng.integers(0, 1 << 32, p.words, dtype="u4") & rng.integers(0, 1 << 32, p.words, dtype="u4"),
            n=np.int32(p.n),
            words=np.uint32(p.words),
        )

    def reference(p, keys, bits, n, words):
        out, keys = bits.astype("u8"), keys.astype("u8")
        for salt in range(3):
            h = mixed(keys, salt) % np.uint64(p.words * 32)
            np.bitwise_or.at(out, (h >> np.uint64(5)).astype("i8"), np.uint64(1) << (h & np.uint64(31)))
        return dict(bits=out)

    plain = hl.OpenCL(SET, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "atomics",
        "bits are set without an atomic",
        "atomic_or(&bits[h >> 5], 1u << (h & 31));",
        "bits[h >> 5] |= 1u << (h & 31);",
    ),
    (
        "plain",
        "type",
        "signed remainder",
        "mix(keys[i], s) % (words * 32)",
        "(uint)abs((int)mix(keys[i], s) % (int)(words * 32))",
    ),
    ("plain", "type", "the shift keeps the sign", "return k ^ k >> 16;", "return k ^ (uint)((int)k >> 16);"),
    ("plain", "shift", "two of three bits", "s < 3;", "s < 2;"),
    ("plain", "index", "the last word is never used", "% (words * 32)", "% (max(words - 1, 1u) * 32)"),
    (
        "plain",
        "start",
        "what stood there is lost",
        "atomic_or(&bits[h >> 5], 1u << (h & 31));",
        "atomic_xchg(&bits[h >> 5], 1u << (h & 31));",
    ),
]
