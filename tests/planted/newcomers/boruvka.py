"""Of each component of a graph the least weight of an edge that leaves it, by atomic minima."""

import numpy as np

import hotloop as hl

A = """
__kernel void least(__global const int *a, __global const int *b, __global const int *w, __global const int *comp, __global int *best, const int m) {
    const int e = get_global_id(0);
    if (e >= m) return;
    const int p = comp[a[e]], q = comp[b[e]];
    if (p == q) return;
    atomic_min(&best[p], w[e]);
    atomic_min(&best[q], w[e]);
}
"""


@hl.kernel(
    problem=dict(n=100, m=900),
    work=lambda p: hl.Work(flops=0, bytes=24 * p.m),
    awkward=lambda p: [dict(n=2, m=1), dict(n=5, m=65), dict(n=50, m=50)],
    domain=dict(w="any"),
)
class boruvka:
    def inputs(p, rng):
        return dict(
            a=rng.integers(0, p.n, p.m, dtype="i4"), b=rng.integers(0, p.n, p.m, dtype="i4"),
            w=rng.integers(-(2**31), 2**31, p.m, dtype="i4"), comp=rng.integers(0, p.n, p.n, dtype="i4") // 2,
            best=np.full(p.n, 2**31 - 1, "i4"), m=p.m,
        )  # fmt: skip

    def reference(s, a, b, w, comp, best, m):
        least, p, q = best.astype("i8"), comp[a], comp[b]
        for side in (p, q):
            np.minimum.at(least, side[p != q], w[p != q])
        return dict(best=least)

    a = hl.OpenCL(A, "least", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "atomic", "no atomic", "atomic_min(&best[q], w[e])", "best[q] = min(best[q], w[e])"),
    ("a", "boundary", "edges within a component count", "if (p == q) return;", ""),
    (
        "a",
        "sign",
        "weights are unsigned",
        "atomic_min(&best[p], w[e])",
        "atomic_min((__global uint *)&best[p], (uint)w[e])",
    ),
    (
        "a",
        "index",
        "vertices for components",
        "const int p = comp[a[e]], q = comp[b[e]];",
        "const int p = a[e], q = b[e];",
    ),
    ("a", "lost", "one side only", "    atomic_min(&best[q], w[e]);\n", ""),
]
