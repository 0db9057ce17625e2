"""First places at which a text's windows have the hash of a pattern and are equal to it (Rabin and Karp), by stretches of the text."""

import numpy as np

import hotloop as hl

A = """
#define BASE 257u
#define MOD 1000003u
__kernel void rk(__global const uchar *text, __global const uchar *pattern, __global int *first, const int n, const int m, const int stretch, const int parts) {
    const int q = get_global_id(0);
    if (q >= parts) return;
    first[q] = -1;
    const int from = q * stretch, to = min(from + stretch, n - m + 1);
    if (from >= to) return;
    uint want = 0, have = 0, high = 1;
    for (int j = 0; j < m; ++j) {
        want = (want * BASE + pattern[j]) % MOD;
        have = (have * BASE + text[from + j]) % MOD;
        if (j) high = high * BASE % MOD;
    }
    for (int i = from; i < to; ++i) {
        if (have == want) {
            int same = 0;
            while (same < m && text[i + same] == pattern[same]) ++same;
            if (same == m) { first[q] = i; return; }
        }
        if (i + 1 < to) {
            have = (have + MOD - text[i] * high % MOD) % MOD;
            have = (have * BASE + text[i + m]) % MOD;
        }
    }
}
"""


@hl.kernel(
    problem=dict(n=6000, m=4, stretch=50),
    work=lambda p: hl.Work(flops=0, bytes=p.n),
    awkward=lambda p: [dict(n=4, m=4, stretch=1), dict(n=3, m=5, stretch=2), dict(n=101, m=1, stretch=10)],
)
class rabinkarp:
    def inputs(p, rng):
        text = rng.integers(97, 100, p.n, dtype="u1")
        pattern = rng.integers(97, 100, p.m, dtype="u1")
        return dict(
            text=text,
            pattern=pattern,
            first=hl.empty(-(-p.n // p.stretch), "i4"),
            n=p.n,
            m=p.m,
            stretch=p.stretch,
            parts=-(-p.n // p.stretch),
        )

    def reference(p, text, pattern, first, n, m, stretch, parts):
        out = np.full(-(-p.n // p.stretch), -1, "i8")
        if p.n >= p.m:
            hit = np.flatnonzero((np.lib.stride_tricks.sliding_window_view(text, p.m) == pattern).all(1))
            for i in hit[::-1]:
                out[i // p.stretch] = i
        return dict(first=out)

    a = hl.OpenCL(A, "rk", global_size=lambda p, c: (-(-p.n // p.stretch),))


MUTANTS = [
    ("a", "lost-tail", "the last window is left out", "n - m + 1)", "n - m)"),
    ("a", "hash", "hashes alone decide", "while (same < m && text[i + same] == pattern[same]) ++same;", "same = m;"),
    ("a", "bounds", "all but the last letter are compared", "while (same < m && text", "while (same < m - 1 && text"),
    ("a", "index", "the power is one too high", "if (j) high", "high"),
    (
        "a",
        "arithmetic",
        "what leaves is taken off without the modulus",
        "have + MOD - text[i] * high % MOD",
        "have - text[i] * high % MOD",
    ),
    (
        "a",
        "bounds",
        "windows end where a stretch does",
        "min(from + stretch, n - m + 1)",
        "min(from + stretch - m + 1, n - m + 1)",
    ),
    ("a", "result", "the last place of a stretch", "{ first[q] = i; return; }", "{ first[q] = i; }"),
    ("a", "bounds", "one letter behind the text is read", "if (i + 1 < to) {", "{"),
    (
        "a",
        "start",
        "a stretch without windows is left as it was",
        "    first[q] = -1;\n",
        "    if (q * stretch < n - m + 1) first[q] = -1;\n",
    ),
]
