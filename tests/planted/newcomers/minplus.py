"""One step of Floyd and Warshall: shortest ways through one more node, in integers."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *d, __global int *o, const int n, const int via) {
    const int i = get_global_id(1), j = get_global_id(0);
    if (i >= n || j >= n) return;
    const int a = d[i * n + via], b = d[via * n + j];
    const int through = (a == INT_MAX || b == INT_MAX) ? INT_MAX : a + b;
    o[i * n + j] = min(d[i * n + j], through);
}
"""
ROWS = """
__kernel void k(__global const int *d, __global int *o, const int n, const int via) {
    __local int first;
    const int i = get_group_id(0), l = get_local_id(0);
    if (l == 0) first = d[i * n + via];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = l; j < n; j += 32) {
        const int b = d[via * n + j];
        int best = d[i * n + j];
        if (first != INT_MAX && b != INT_MAX && first + b < best) best = first + b;
        o[i * n + j] = best;
    }
}
"""


@hl.kernel(
    problem=dict(n=150),
    work=lambda p: hl.Work(flops=2 * p.n * p.n, bytes=8 * p.n * p.n),
    awkward=lambda p: [dict(n=1), dict(n=33), dict(n=64)],
    domain=dict(d="range", via="fixed"),
)
class minplus:
    def inputs(p, rng):
        d = rng.integers(0, 1 << 20, (p.n, p.n), dtype="i4")
        d[rng.random((p.n, p.n)) < 0.2] = np.iinfo("i4").max
        return dict(d=d, o=hl.empty((p.n, p.n), "int32"), n=np.int32(p.n), via=np.int32(p.n // 2))

    def reference(p, d, o, n, via):
        w = d.astype("i8")
        no = np.iinfo("i4").max
        a, b = w[:, via][:, None], w[via][None]
        through = np.where((a == no) | (b == no), no, a + b)
        return dict(o=np.minimum(w, through))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n, p.n))
    rows = hl.OpenCL(ROWS, "k", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "overflow", "no way is added to", "(a == INT_MAX || b == INT_MAX) ? INT_MAX : a + b", "a + b"),
    ("plain", "mask", "only one way is asked for", "a == INT_MAX || b == INT_MAX", "a == INT_MAX"),
    ("plain", "index", "the column instead of the row", "d[via * n + j]", "d[j * n + via]"),
    ("plain", "narrow", "distances in 16 bits", "const int a = d[i * n + via]", "const int a = (short)d[i * n + via]"),
    ("plain", "minimum", "the larger one", "min(d[i * n + j], through)", "max(d[i * n + j], through)"),
    ("rows", "barrier", "no barrier after the first is loaded", "via];\n    barrier(CLK_LOCAL_MEM_FENCE);", "via];"),
    ("rows", "stride", "every 33rd column", "j += 32", "j += 33"),
    ("rows", "lost-tail", "whole rounds only", "for (int j = l; j < n;", "for (int j = l; j - l + 32 <= n;"),
]
