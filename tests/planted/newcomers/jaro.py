"""Jaro's similarity of pairs of short strings, up to 64 letters, by masks of what is taken."""

import numpy as np

import hotloop as hl

A = """
__kernel void jaro(__global const uchar *a, __global const uchar *b, __global const uchar *la, __global const uchar *lb, __global float *o, const int most, const int pairs) {
    const int p = get_global_id(0);
    if (p >= pairs) return;
    __global const uchar *s = a + p * most, *t = b + p * most;
    const int n = la[p], m = lb[p];
    const int reach = max(max(n, m) / 2 - 1, 0);
    ulong used = 0, taken = 0;
    int matches = 0;
    for (int i = 0; i < n; ++i)
        for (int j = max(0, i - reach); j < min(m, i + reach + 1); ++j)
            if (!(taken >> j & 1) && s[i] == t[j]) {
                taken |= 1UL << j;
                used |= 1UL << i;
                ++matches;
                break;
            }
    int moved = 0;
    for (int i = 0, j = 0; i < n; ++i)
        if (used >> i & 1) {
            while (!(taken >> j & 1)) ++j;
            moved += s[i] != t[j++];
        }
    const float c = matches;
    o[p] = matches ? (c / n + c / m + (c - moved / 2) / c) / 3.0f : n + m == 0 ? 1.0f : 0.0f;
}
"""


@hl.kernel(
    problem=dict(pairs=600, most=24),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.pairs * p.most),
    awkward=lambda p: [dict(pairs=1, most=1), dict(pairs=65, most=8), dict(pairs=40, most=64)],
    tolerance=hl.Tolerance(terms=lambda p: 8),
    domain=dict(most="fixed", la="range", lb="range"),
)
class jaro:
    def inputs(p, rng):
        return dict(
            a=rng.integers(97, 102, (p.pairs, p.most)).astype("u1"), b=rng.integers(97, 102, (p.pairs, p.most)).astype("u1"),
            la=rng.integers(0, p.most + 1, p.pairs).astype("u1"), lb=rng.integers(0, p.most + 1, p.pairs).astype("u1"),
            o=hl.empty(p.pairs), most=p.most, pairs=p.pairs,
        )  # fmt: skip

    def reference(p, a, b, la, lb, o, most, pairs):
        out = np.zeros(pairs)
        for k in range(pairs):
            s, t = a[k, : la[k]].tolist(), b[k, : lb[k]].tolist()
            n, m = len(s), len(t)
            if not n and not m:
                out[k] = 1.0
                continue
            reach, taken, used = max(max(n, m) // 2 - 1, 0), [False] * m, []
            for i in range(n):
                for j in range(max(0, i - reach), min(m, i + reach + 1)):
                    if not taken[j] and s[i] == t[j]:
                        taken[j] = True
                        used.append(s[i])
                        break
            c = len(used)
            if c:
                other = [t[j] for j in range(m) if taken[j]]
                moved = sum(x != y for x, y in zip(used, other, strict=False)) // 2
                out[k] = (c / n + c / m + (c - moved) / c) / 3
        return dict(o=out)

    a = hl.OpenCL(A, "jaro", global_size=lambda p, c: (p.pairs,))


MUTANTS = [
    ("a", "edge", "the reach of one letter is minus one", "max(max(n, m) / 2 - 1, 0)", "max(n, m) / 2 - 1"),
    ("a", "bounds", "the reach lacks its end", "i + reach + 1)", "i + reach)"),
    ("a", "narrow", "masks of 32 bits", "taken |= 1UL << j", "taken |= 1 << (j & 31)"),
    ("a", "branch", "two empty ones are unlike", "n + m == 0 ? 1.0f : 0.0f", "0.0f"),
    ("a", "rounding", "half moves count", "moved / 2) / c", "moved * 0.5f) / c"),
    ("a", "branch", "a letter is taken twice", "if (!(taken >> j & 1) && s[i] == t[j])", "if (s[i] == t[j])"),
]
