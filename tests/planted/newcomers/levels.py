"""One step of a search in breadth: distances of the neighbours of the front, in integers."""

import numpy as np

import hotloop as hl

PULL = """
__kernel void k(__global const int *ptr, __global const int *col, __global const int *d, __global int *o, const int n, const int now) {
    const int v = get_global_id(0);
    if (v >= n) return;
    int r = d[v];
    if (r < 0)
        for (int e = ptr[v]; e < ptr[v + 1]; ++e)
            if (d[col[e]] == now) { r = now + 1; break; }
    o[v] = r;
}
"""
GROUP = """
__kernel void k(__global const int *ptr, __global const int *col, __global const int *d, __global int *o, const int n, const int now) {
    __local int seen;
    const int v = get_group_id(0), l = get_local_id(0);
    if (l == 0) seen = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int e = ptr[v] + l; e < ptr[v + 1]; e += 8)
        if (d[col[e]] == now) atomic_or(&seen, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) o[v] = d[v] < 0 && seen ? now + 1 : d[v];
}
"""


@hl.kernel(
    problem=dict(n=900),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=60 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=17), dict(n=129)],
    domain=dict(col="indices", d="range", now="fixed"),
)
class levels:
    def inputs(p, rng):
        ptr = np.concatenate([[0], np.cumsum(rng.integers(0, 12, p.n))]).astype("i4")
        col = rng.integers(0, p.n, max(1, int(ptr[-1])), dtype="i4")
        d = rng.integers(-1, 4, p.n, dtype="i4")
        return dict(ptr=ptr, col=col, d=d, o=hl.empty(p.n, "int32"), n=np.int32(p.n), now=np.int32(3))

    def reference(p, ptr, col, d, o, n, now):
        o = d.copy()
        for v in range(p.n):
            if d[v] < 0 and (d[col[ptr[v] : ptr[v + 1]]] == now).any():
                o[v] = now + 1
        return dict(o=o)

    pull = hl.OpenCL(PULL, "k", global_size=lambda p, c: (p.n,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (8 * p.n,), local_size=lambda p, c: (8,))


MUTANTS = [
    ("pull", "compare", "nodes of earlier fronts too", "d[col[e]] == now", "d[col[e]] <= now"),
    ("pull", "mask", "known nodes are changed", "if (r < 0)", "if (r <= now)"),
    ("pull", "bounds", "the last edge is left out", "e < ptr[v + 1]", "e < ptr[v + 1] - 1"),
    ("pull", "bounds", "an edge of the next node", "e < ptr[v + 1]", "e <= ptr[v + 1]"),
    ("pull", "value", "the same level", "r = now + 1", "r = now"),
    ("group", "barrier", "no barrier before it is asked", "seen, 1);\n    barrier(CLK_LOCAL_MEM_FENCE);", "seen, 1);"),
    ("group", "uninitialised", "the flag is not cleared", "if (l == 0) seen = 0;", "if (l == 1) seen &= 1;"),
    ("group", "stride", "every ninth edge", "e += 8", "e += 9"),
]
