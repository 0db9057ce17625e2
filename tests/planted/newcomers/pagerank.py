"""A step of PageRank: ranks of those that point here, by degree, what hangs loose shared out."""

import numpy as np

import hotloop as hl

A = """
__kernel void step(__global const int *start, __global const int *from, __global const int *degree, __global const float *rank,
                   __global float *next, const int n, const float damping) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float loose = 0.0f;
    for (int j = 0; j < n; ++j) if (degree[j] == 0) loose += rank[j];
    float sum = loose / n;
    for (int e = start[i]; e < start[i + 1]; ++e) sum += rank[from[e]] / degree[from[e]];
    next[i] = (1.0f - damping) / n + damping * sum;
}
"""
B = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void step(__global const int *start, __global const int *from, __global const int *degree, __global const float *rank,
          __global float *next, const int n, const float damping) {
    const int i = get_group_id(0), l = get_local_id(0);
    __local float part[32];
    float sum = 0.0f;
    for (int j = l; j < n; j += 32) if (degree[j] == 0) sum += rank[j] / n;
    for (int e = start[i] + l; e < start[i + 1]; e += 32) sum += rank[from[e]] / degree[from[e]];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        float all = 0.0f;
        for (int k = 0; k < 32; ++k) all += part[k];
        next[i] = (1.0f - damping) / n + damping * all;
    }
}
"""


@hl.kernel(
    problem=dict(n=400),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=60 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=37), dict(n=130)],
    tolerance=hl.Tolerance(terms=lambda p: p.n),
)
class pagerank:
    def inputs(p, rng):
        edges = 6 * p.n
        src, dst = rng.integers(0, max(1, p.n * 3 // 4), edges), np.sort(rng.integers(0, p.n, edges))
        rank = rng.random(p.n) + 0.1
        return dict(
            start=np.searchsorted(dst, np.arange(p.n + 1)).astype("i4"),
            **{"from": src.astype("i4")},
            degree=np.bincount(src, minlength=p.n).astype("i4"),
            rank=(rank / rank.sum()).astype("f4"),
            next=hl.empty(p.n),
            n=p.n,
            damping=np.float32(0.85),
        )

    def reference(p, **a):
        rank, degree, n = a["rank"].astype("f8"), a["degree"], a["n"]
        to = np.repeat(np.arange(n), np.diff(a["start"]))
        gives = np.divide(rank, degree, out=np.zeros(n), where=degree > 0)
        sums = np.bincount(to, gives[a["from"]], minlength=n) + rank[degree == 0].sum() / n
        return dict(next=(1 - float(a["damping"])) / n + float(a["damping"]) * sums)

    a = hl.OpenCL(A, "step", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "step", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "loose", "what hangs loose is lost", "float sum = loose / n;", "float sum = 0.0f;"),
    (
        "a",
        "edge",
        "the first edge is left out",
        "int e = start[i]; e",
        "int e = start[i] + (start[i + 1] > start[i]); e",
    ),
    ("a", "scalar", "damping is a constant", "+ damping * sum", "+ 0.85f * sum"),
    ("a", "index", "the degree of this node", "/ degree[from[e]];", "/ max(degree[i], 1);"),
    ("b", "barrier", "no barrier", "    barrier(CLK_LOCAL_MEM_FENCE);\n    if", "    if"),
    ("b", "stride", "edges by 64", "e += 32) sum += rank[from", "e += 64) sum += rank[from"),
]
