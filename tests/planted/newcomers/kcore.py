"""One round of peeling a graph: a vertex stays where at least k of its neighbours do."""

import numpy as np

import hotloop as hl

A = """
__kernel void peel(__global const int *begin, __global const int *next, __global const uchar *alive, __global uchar *stays,
                   __global int *gone, const int n, const int k) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int count = 0;
    for (int e = begin[i]; e < begin[i + 1]; ++e) count += alive[next[e]] != 0;
    const uchar left = alive[i] && count >= k;
    stays[i] = left;
    if (alive[i] && !left) atomic_inc(gone);
}
"""


@hl.kernel(
    problem=dict(n=800),
    work=lambda p: hl.Work(flops=0, bytes=30 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=10)],
)
class kcore:
    def inputs(p, rng):
        degree = rng.integers(0, 9, p.n)
        begin = np.concatenate([[0], np.cumsum(degree)]).astype("i4")
        return dict(
            begin=begin, follows=rng.integers(0, p.n, max(1, int(begin[-1])), dtype="i4"), alive=rng.integers(0, 2, p.n, dtype="u1"),
            stays=hl.empty(p.n, "u1"), gone=np.zeros(1, "i4"), n=p.n, k=np.int32(2),
        )  # fmt: skip

    def reference(p, begin, follows, alive, stays, gone, n, k):
        seen = np.array([np.count_nonzero(alive[follows[a:b]]) for a, b in zip(begin[:-1], begin[1:], strict=True)])
        left = (alive != 0) & (seen >= int(k))
        return dict(stays=left.astype("u1"), gone=gone.astype("i8") + int(((alive != 0) & ~left).sum()))

    a = hl.OpenCL(A, "peel", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "boundary", "more than k", "count >= k", "count > k"),
    ("a", "bounds", "the first neighbour is lost", "int e = begin[i]; e", "int e = begin[i] + 1; e"),
    ("a", "atomic", "no atomic", "atomic_inc(gone)", "gone[0] += 1"),
    ("a", "special", "the dead come back", "alive[i] && count >= k;", "count >= k;"),
    ("a", "special", "the dead count as gone", "if (alive[i] && !left)", "if (!left)"),
    ("a", "scalar", "k is a constant", "count >= k", "count >= 3"),
]
