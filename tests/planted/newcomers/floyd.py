"""Shortest paths between all nodes of small graphs, a group for each graph, in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void fw(__global const int *w, __global int *d) {
    __local int t[16][16];
    const int c = get_local_id(0), r = get_local_id(1), g = get_group_id(0) * 256;
    t[r][c] = r == c ? 0 : w[g + r * 16 + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) {
        const int by = t[r][k] + t[k][c];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (by < t[r][c]) t[r][c] = by;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    d[g + r * 16 + c] = t[r][c];
}
"""


@hl.kernel(
    problem=dict(n=40),
    work=lambda p: hl.Work(flops=0, bytes=4 * 256 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=3), dict(n=7)],
)
class floyd:
    def inputs(p, rng):
        return dict(w=rng.integers(1, 10000, (p.n, 16, 16), dtype="i4"), d=hl.empty((p.n, 16, 16), "i4"))

    def reference(p, w, d):
        t = w.astype("i8").copy()
        t[:, np.arange(16), np.arange(16)] = 0
        for k in range(16):
            t = np.minimum(t, t[:, :, k, None] + t[:, None, k, :])
        return dict(d=t)

    a = hl.OpenCL(A, "fw", global_size=lambda p, c: (16 * p.n, 16), local_size=lambda p, c: (16, 16))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier at the end of a step",
        "t[r][c] = by;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "t[r][c] = by;",
    ),
    (
        "a",
        "barrier",
        "no barrier after loading",
        "w[g + r * 16 + c];\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "w[g + r * 16 + c];",
    ),
    (
        "a",
        "divergent",
        "only who has a shorter path meets the second barrier",
        "if (by < t[r][c]) t[r][c] = by;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "if (by < t[r][c]) { t[r][c] = by; barrier(CLK_LOCAL_MEM_FENCE); }",
    ),
    ("a", "bounds", "a step too many", "k < 16; ++k", "k <= 16; ++k"),
    ("a", "bounds", "a group's graphs are 257 apart", "get_group_id(0) * 256", "get_group_id(0) * 257"),
]
