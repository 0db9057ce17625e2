"""Sums of prefixes from Fenwick trees, a query each."""

import numpy as np

import hotloop as hl

A = """
__kernel void fe(__global const int *tree, __global const int *q, __global long *o, const int n, const int queries) {
    const int i = get_global_id(0);
    if (i >= queries) return;
    long s = 0;
    for (int k = q[i]; k > 0; k &= k - 1) s += tree[k - 1];
    o[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=5000, queries=3000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 3 * p.queries),
    awkward=lambda p: [dict(n=1, queries=1), dict(n=64, queries=7), dict(n=100, queries=65)],
    domain=dict(q="range"),
)
class fenwick:
    def inputs(p, rng):
        return dict(
            tree=rng.integers(-(2**31), 2**31, p.n, dtype="i4"),
            q=rng.integers(0, p.n + 1, p.queries, dtype="i4"),
            o=hl.empty(p.queries, "i8"),
            n=p.n,
            queries=p.queries,
        )

    def reference(p, tree, q, o, n, queries):
        out, k = np.zeros(p.queries, "i8"), q.astype("i8").copy()
        while (k > 0).any():
            out += np.where(k > 0, tree[np.maximum(k - 1, 0)], 0)
            k &= k - 1
            k = np.maximum(k, 0)
        return dict(o=out)

    a = hl.OpenCL(A, "fe", global_size=lambda p, c: (p.queries,))


MUTANTS = [
    ("a", "overflow", "sums in 32 bits", "long s = 0;", "int s = 0;"),
    ("a", "bounds", "places count from one", "tree[k - 1]", "tree[k]"),
    ("a", "limit", "the first element is not heard", "k > 0;", "k > 1;"),
    ("a", "index", "the wrong bit is dropped", "k &= k - 1", "k = (k & (k - 1)) ? k & (k - 1) : k >> 1"),
    ("a", "uninitialised", "the sum is not set", "long s = 0;", "long s;"),
    ("a", "empty", "an empty prefix is not written", "o[i] = s;", "if (q[i]) o[i] = s;"),
]
