"""Labels of connected components: every node the smallest number that it can reach, by hooking and jumping in one group."""

import numpy as np

import hotloop as hl

HOOK = """
__kernel void k(__global const int *a, __global const int *b, __global int *o, const int n, const int m) {
    __local int changed;
    int round = 0;
    const int l = get_local_id(0), w = get_local_size(0);
    for (int i = l; i < n; i += w) o[i] = i;
    do {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (l == 0) changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (int e = l; e < m; e += w) {
            const int p = o[a[e]], q = o[b[e]];
            if (p == q) continue;
            atomic_min(&o[max(p, q)], min(p, q));
            atomic_or(&changed, 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        for (int i = l; i < n; i += w) {
            int r = o[i];
            while (o[r] < r) r = o[r];
            atomic_min(&o[i], r);
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } while (changed && ++round < n);
}
"""


@hl.kernel(
    problem=dict(n=3000, m=2400),
    work=lambda p: hl.Work(flops=p.m, bytes=8 * p.m + 4 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=2, m=1), dict(n=65, m=40), dict(n=64, m=300)],
    domain=dict(a="indices", b="indices"),
)
class components:
    def inputs(p, rng):
        return dict(
            a=rng.integers(0, p.n, p.m, dtype="i4"),
            b=rng.integers(0, p.n, p.m, dtype="i4"),
            o=hl.empty(p.n, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, a, b, o, n, m):
        root = list(range(p.n))

        def find(i):
            while root[i] != i:
                root[i] = root[root[i]]
                i = root[i]
            return i

        for i, j in zip(a.tolist(), b.tolist(), strict=True):
            i, j = find(i), find(j)
            root[max(i, j)] = min(i, j)
        return dict(o=np.array([find(i) for i in range(p.n)]))

    hook = hl.OpenCL(HOOK, "k", global_size=lambda p, c: (64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("hook", "rounds", "one round only", "while (changed && ++round < n);", "while (0);"),
    (
        "hook",
        "order",
        "the larger label is kept",
        "atomic_min(&o[max(p, q)], min(p, q));",
        "atomic_max(&o[min(p, q)], max(p, q));",
    ),
    ("hook", "lost-tail", "the last edge", "e < m;", "e < m - 1;"),
    ("hook", "uninitialised", "the first label is not set", "o[i] = i;", "if (i) o[i] = i;"),
    ("hook", "index", "edges by the nodes' numbers", "o[max(p, q)], min(p, q)", "o[max(a[e], b[e])], min(p, q)"),
    ("hook", "start", "all begin with the first", "o[i] = i;", "o[i] = 0;"),
]
