"""Simple-8b: words of 64 bits with a selector of four bits and numbers of equal width, unpacked to where each word's first one goes."""

import numpy as np

import hotloop as hl

A = """
__constant uchar WIDTH[16] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60};
__constant uchar COUNT[16] = {240, 120, 60, 30, 20, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1};
__kernel void unpack(__global const ulong *word, __global const int *place, __global ulong *o, const int words, const int n) {
    const int i = get_global_id(0);
    if (i >= words) return;
    const ulong w = word[i];
    const int s = w >> 60, bits = WIDTH[s], first = place[i];
    const ulong mask = ((ulong)1 << bits) - 1;
    for (int k = 0; k < COUNT[s]; ++k) {
        if (first + k >= n) break;
        o[first + k] = bits ? w >> (bits * k) & mask : 1;
    }
}
"""
WIDTH = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60]
COUNT = [240, 120, 60, 30, 20, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1]


@hl.kernel(
    problem=dict(words=700),
    work=lambda p: hl.Work(flops=0, bytes=150 * p.words),
    awkward=lambda p: [dict(words=1), dict(words=33), dict(words=300)],
    domain=dict(word="structure", place="structure"),
)
class simple8:
    def inputs(p, rng):
        s = rng.integers(0, 16, p.words)
        word = (s.astype("u8") << np.uint64(60)) | rng.integers(0, 2**60, p.words, dtype="u8")
        count = np.array(COUNT)[s]
        place = np.cumsum(count) - count
        n = int(count.sum() - rng.integers(0, count[-1]))
        return dict(word=word, place=place.astype("i4"), o=hl.empty(n, "u8"), words=p.words, n=n)

    def reference(p, word, place, o, words, n):
        out = np.zeros(n, "u8")
        for i, w in enumerate(word):
            s = int(w) >> 60
            for k in range(COUNT[s]):
                if place[i] + k < n:
                    out[place[i] + k] = (int(w) >> (WIDTH[s] * k)) & ((1 << WIDTH[s]) - 1) if WIDTH[s] else 1
        return dict(o=out)

    a = hl.OpenCL(A, "unpack", global_size=lambda p, c: (-(-p.words // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "narrow", "masks of 32 bits", "((ulong)1 << bits) - 1", "(ulong)((1u << (bits & 31)) - 1)"),
    ("a", "bounds", "the last word is written whole", "        if (first + k >= n) break;\n", ""),
    ("a", "branch", "runs are zeros", "bits ? w >> (bits * k) & mask : 1", "w >> (bits * k) & mask"),
    ("a", "table", "one count is of the next", "8, 7, 6, 5, 4, 3, 2, 1}", "8, 7, 6, 5, 4, 3, 3, 1}"),
    ("a", "sign", "selectors above seven are negative", "const int s = w >> 60,", "const int s = ((long)w >> 60) & 7,"),
    ("a", "bounds", "the first of each word is not written", "int k = 0; k < COUNT[s]", "int k = 1; k < COUNT[s]"),
]
