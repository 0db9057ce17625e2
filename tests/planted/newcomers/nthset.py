"""Place of the k-th set bit of each bitmap of several words; -1 where there are fewer."""

import numpy as np

import hotloop as hl

SEEK = """
__kernel void k(__global const ulong *m, __global const int *which, __global int *at, const int rows, const int words) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int left = which[r], found = -1;
    for (int w = 0; w < words && found < 0; ++w) {
        ulong v = m[r * words + w];
        const int here = (int)popcount(v);
        if (left >= here) { left -= here; continue; }
        for (; left > 0; --left) v &= v - 1;
        found = 64 * w + (int)popcount((v & (0 - v)) - 1);
    }
    at[r] = found;
}
"""


@hl.kernel(
    problem=dict(rows=500, words=3),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.words),
    awkward=lambda p: [dict(rows=1, words=1), dict(rows=65, words=5), dict(rows=33, words=2)],
)
class nthset:
    def inputs(p, rng):
        m = rng.integers(0, 2**64, (p.rows, p.words), dtype="u8") & rng.integers(
            0, 2**64, (p.rows, p.words), dtype="u8"
        )
        m[rng.random(m.shape) < 0.1] = 2**64 - 1
        return dict(
            m=m,
            which=rng.integers(0, 40 * p.words, p.rows).astype("i4"),
            at=hl.empty(p.rows, "i4"),
            rows=np.int32(p.rows),
            words=np.int32(p.words),
        )

    def reference(p, m, which, at, rows, words):
        bits = np.unpackbits(m.astype("<u8").view("u1"), axis=1, bitorder="little")
        count = np.cumsum(bits, axis=1)
        hit = (count == which[:, None] + 1) & (bits == 1)
        return dict(at=np.where(hit.any(1), hit.argmax(1), -1).astype("i4"))

    seek = hl.OpenCL(SEEK, "k", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    (
        "seek",
        "type",
        "32 bits of each word count",
        "popcount(v);",
        "popcount((uint)v) + (v >> 32 == 0xffffffffu ? 32 : (int)popcount((uint)(v >> 33)));",
    ),
    ("seek", "limit", "equal counts stay in the word", "if (left >= here)", "if (left > here)"),
    ("seek", "last", "the last word is left out of long maps", "w < words &&", "w < words - (words > 3) &&"),
    (
        "seek",
        "sign",
        "the top bit is not found",
        "found = 64 * w + (int)popcount((v & (0 - v)) - 1);",
        "found = 64 * w + (int)popcount(((v & (0 - v)) - 1) & 0x3fffffffffffffffUL);",
    ),
    (
        "seek",
        "none",
        "too few bits give the end of the map",
        "at[r] = found;",
        "at[r] = found < 0 ? 64 * words : found;",
    ),
]
