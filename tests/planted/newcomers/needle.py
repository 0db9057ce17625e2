"""Where a pattern with wildcards (0) begins in a text, with at most `slack` differing bytes; a bit for each place."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *text, __global const uchar *pattern, __global uint *o, const int n, const int m, const int slack) {
    const int w = get_global_id(0);
    if (w >= (n + 31) / 32) return;
    uint bits = 0;
    for (int b = 0; b < 32; ++b) {
        const int i = 32 * w + b;
        if (i + m > n) break;
        int differ = 0;
        for (int j = 0; j < m; ++j) differ += pattern[j] != 0 && pattern[j] != text[i + j];
        if (differ <= slack) bits |= 1u << b;
    }
    o[w] = bits;
}
"""


@hl.kernel(
    problem=dict(n=5000, m=6),
    work=lambda p: hl.Work(flops=p.n * p.m, bytes=p.n + p.n / 8),
    awkward=lambda p: [dict(n=1, m=1), dict(n=32, m=3), dict(n=65, m=64), dict(n=5, m=9)],
    domain=dict(slack="fixed"),
)
class needle:
    def inputs(p, rng):
        pattern = rng.integers(0, 4, p.m).astype("u1")
        return dict(
            text=rng.integers(1, 4, p.n).astype("u1"),
            pattern=pattern,
            o=hl.empty((p.n + 31) // 32, "u4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
            slack=np.int32(1),
        )

    def reference(p, text, pattern, o, n, m, slack):
        bits = np.zeros(32 * ((p.n + 31) // 32), bool)
        for i in range(p.n - p.m + 1):
            part = text[i : i + p.m]
            bits[i] = ((pattern != 0) & (pattern != part)).sum() <= slack
        return dict(o=np.packbits(bits.reshape(-1, 32), axis=1, bitorder="little").view("<u4").ravel())

    plain = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: ((p.n + 31) // 32,))


MUTANTS = [
    ("plain", "last", "the last place is left out", "i + m > n", "i + m >= n"),
    ("plain", "over", "places whose pattern ends one behind the text", "i + m > n", "i + m > n + 1"),
    (
        "plain",
        "shift",
        "a match at bit 31 is lost by a signed shift of 31 places",
        "1u << b",
        "(uint)(1 << b) & 0x7fffffff",
    ),
    ("plain", "scalar", "the slack is one", "differ <= slack", "differ <= 1"),
]
