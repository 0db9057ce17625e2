"""Lengths of longest common subsequences of pairs of strings of at most 64 letters, by bits."""

import numpy as np

import hotloop as hl

A = """
__kernel void lcs(__global const uchar *a, __global const uchar *b, __global int *o, const int n, const int la, const int lb) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong where[4] = {0, 0, 0, 0};
    for (int k = 0; k < la; ++k) where[a[i * la + k] & 3] |= 1ul << k;
    ulong v = ~0ul;
    for (int j = 0; j < lb; ++j) {
        const ulong u = v & where[b[i * lb + j] & 3];
        v = (v + u) | (v - u);
    }
    const ulong used = la == 64 ? ~0ul : (1ul << la) - 1;
    o[i] = popcount(~v & used);
}
"""


@hl.kernel(
    problem=dict(n=300, la=41, lb=37),
    work=lambda p: hl.Work(flops=0, bytes=p.n * (p.la + p.lb)),
    awkward=lambda p: [dict(n=1, la=1, lb=1), dict(n=3, la=64, lb=70), dict(n=20, la=33, lb=5)],
    domain=dict(la="fixed", a="range", b="range"),
)
class bitlcs:
    def inputs(p, rng):
        return dict(
            a=rng.integers(0, 4, (p.n, p.la), dtype="u1"),
            b=rng.integers(0, 4, (p.n, p.lb), dtype="u1"),
            o=hl.empty(p.n, "i4"),
            n=p.n,
            la=p.la,
            lb=p.lb,
        )

    def reference(p, a, b, o, n, la, lb):
        best = np.zeros((p.n, p.la + 1, p.lb + 1), "i4")
        for k in range(p.la):
            for j in range(p.lb):
                same = a[:, k] == b[:, j]
                best[:, k + 1, j + 1] = np.where(
                    same, best[:, k, j] + 1, np.maximum(best[:, k, j + 1], best[:, k + 1, j])
                )
        return dict(o=best[:, -1, -1])

    a = hl.OpenCL(A, "lcs", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "narrow", "a mark of 32 bits", "|= 1ul << k;", "|= (ulong)(1u << k);"),
    ("a", "shift", "64 letters use none", "la == 64 ? ~0ul : (1ul << la) - 1", "(1ul << la) - 1"),
    (
        "a",
        "uninitialised",
        "two letters' places are not cleared",
        "ulong where[4] = {0, 0, 0, 0};",
        "ulong where[4]; where[0] = where[2] = 0;",
    ),
    ("a", "lost-tail", "the last letter of b", "j < lb; ++j", "j < lb - 1; ++j"),
    ("a", "symmetry", "strides of a for b", "b[i * lb + j]", "b[i * la + j]"),
    ("a", "bounds", "the first letter is marked twice, the last not", "1ul << k;", "1ul << max(k - 1, 0);"),
]
