"""MurmurHash3 (32 bits) of byte strings of any length, cut out of one text by offsets."""

import numpy as np

import hotloop as hl

A = """
uint mix(uint k) { k *= 0xcc9e2d51u; k = rotate(k, 15u); return k * 0x1b873593u; }
__kernel void k(__global const uchar *t, __global const int *off, __global uint *o, int n, uint seed) {
    int i = get_global_id(0);
    if (i >= n) return;
    int a = off[i], len = off[i + 1] - a, whole = len / 4 * 4;
    uint h = seed;
    for (int j = 0; j < whole; j += 4) {
        uint k = t[a + j] | t[a + j + 1] << 8 | t[a + j + 2] << 16 | (uint)t[a + j + 3] << 24;
        h ^= mix(k); h = rotate(h, 13u) * 5 + 0xe6546b64u;
    }
    uint r = 0;
    switch (len & 3) {
        case 3: r ^= t[a + whole + 2] << 16;
        case 2: r ^= t[a + whole + 1] << 8;
        case 1: r ^= t[a + whole]; h ^= mix(r);
    }
    h ^= len;
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    o[i] = h;
}
"""
B = """
__kernel void k(__global const uchar *t, __global const int *off, __global uint *o, int n, uint seed) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint h = seed, word = 0;
        int have = 0;
        for (int j = off[i]; j < off[i + 1]; ++j) {
            word |= (uint)t[j] << (8 * have);
            if (++have == 4) {
                word *= 0xcc9e2d51u; word = word << 15 | word >> 17; word *= 0x1b873593u;
                h ^= word; h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
                have = 0; word = 0;
            }
        }
        word *= 0xcc9e2d51u; word = word << 15 | word >> 17; word *= 0x1b873593u;
        h ^= word ^ (off[i + 1] - off[i]);
        h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
        o[i] = h;
    }
}
"""


@hl.kernel(
    problem=dict(n=1000),
    work=lambda p: hl.Work(flops=50 * p.n, bytes=20 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=17)],
)
class murmur:
    def inputs(p, rng):
        off = np.concatenate([[0], np.cumsum(rng.integers(0, 20, p.n))]).astype("i4")
        return dict(
            t=rng.integers(0, 256, max(1, off[-1]), dtype="u1"),
            off=off,
            o=hl.empty(p.n, "uint32"),
            n=p.n,
            seed=np.uint32(rng.integers(2**32)),
        )

    def reference(p, t, off, o, n, seed):
        M = 0xFFFFFFFF
        rot = lambda x, r: ((x << r) | (x >> (32 - r))) & M
        mix = lambda k: rot(k * 0xCC9E2D51 & M, 15) * 0x1B873593 & M
        out = []
        for i in range(n):
            s = bytes(t[off[i] : off[i + 1]])
            h = int(seed)
            for j in range(0, len(s) // 4 * 4, 4):
                h = (rot(h ^ mix(int.from_bytes(s[j : j + 4], "little")), 13) * 5 + 0xE6546B64) & M
            h ^= mix(int.from_bytes(s[len(s) // 4 * 4 :], "little"))
            h ^= len(s)
            h ^= h >> 16
            h = h * 0x85EBCA6B & M
            h ^= h >> 13
            h = h * 0xC2B2AE35 & M
            h ^= h >> 16
            out.append(h)
        return dict(o=np.array(out, "u4"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (128,))


MUTANTS = [
    ("a", "tail", "a third byte of the tail is lost", "case 3: r ^= t[a + whole + 2] << 16;", "case 3:"),
    ("a", "tail", "an empty tail is mixed as one", "case 1: r ^=", "case 0: case 1: r ^="),
    ("a", "scalar", "the seed is zero", "uint h = seed;", "uint h = 0;"),
    ("a", "length", "lengths are not mixed", "h ^= len;", ""),
    (
        "a",
        "order",
        "bytes the other way",
        "t[a + j + 1] << 8 | t[a + j + 2] << 16",
        "t[a + j + 2] << 8 | t[a + j + 1] << 16",
    ),
    ("b", "state", "the word is not begun anew", "have = 0; word = 0;", "have = 0;"),
    ("b", "length", "lengths in a byte", "(off[i + 1] - off[i])", "(uchar)(off[i + 1] - off[i])"),
    ("b", "sign", "signed bytes", "(uint)t[j]", "(uint)(char)t[j]"),
]
