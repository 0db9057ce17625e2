"""Permutations of up to 16 elements numbered in lexicographic order."""

import numpy as np

import hotloop as hl

A = """
__kernel void le(__global const uchar *p, __global ulong *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint left = (1u << m) - 1;
    ulong rank = 0;
    for (int k = 0; k < m; ++k) {
        const int v = p[i * m + k];
        rank = rank * (m - k) + popcount(left & ((1u << v) - 1));
        left &= ~(1u << v);
    }
    o[i] = rank;
}
"""


@hl.kernel(
    problem=dict(n=2000, m=15),
    work=lambda p: hl.Work(flops=0, bytes=4 * 2 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=7, m=3), dict(n=65, m=9)],
    domain=dict(m="fixed", q="fixed"),
)
class lehmer:
    def inputs(p, rng):
        return dict(
            q=rng.permuted(np.tile(np.arange(p.m, dtype="u1"), (p.n, 1)), axis=1), o=hl.empty(p.n, "u8"), n=p.n, m=p.m
        )

    def reference(p, q, o, n, m):
        t = q.astype("i8")
        rank = np.zeros(p.n, "i8")
        for k in range(p.m):
            rank = rank * (p.m - k) + (t[:, k + 1 :] < t[:, k : k + 1]).sum(1)
        return dict(o=rank)

    a = hl.OpenCL(A, "le", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "overflow", "ranks in 32 bits", "ulong rank = 0;", "uint rank = 0;"),
    ("a", "limit", "an element is smaller than itself", "((1u << v) - 1)", "((2u << v) - 1)"),
    ("a", "state", "elements that are gone are counted", "        left &= ~(1u << v);\n", ""),
    ("a", "uninitialised", "the rank is not set", "ulong rank = 0;", "ulong rank;"),
    ("a", "index", "rows overlap by one", "p[i * m + k]", "p[i * m + k - (i == n - 1 && i > 0)]"),
]
