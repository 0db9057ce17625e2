"""Longest ways through a graph whose edges run from lower to higher nodes, ways into a node by offsets."""

import numpy as np

import hotloop as hl

S = r"""
// critical path: edges run from lower to higher numbers; predecessors in CSR
__kernel void longest(__global const int *ptr, __global const int *pred, __global const int *cost, __global int *best, const int v, const int n) {
    const int s = get_global_id(0);
    if (s >= n) return;
    for (int i = 0; i < v; ++i) {
        int b = 0;
        for (int j = ptr[i]; j < ptr[i + 1]; ++j) b = max(b, best[s * v + pred[j]]);
        best[s * v + i] = b + cost[s * v + i];
    }
}
"""


@hl.kernel(
    problem=dict(n=200, v=50),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n * p.v),
    awkward=lambda p: [dict(n=1, v=1), dict(n=65, v=5), dict(n=3, v=100)],
)
class critical:
    def inputs(p, rng):
        pred, ptr = [], [0]
        for i in range(p.v):
            pred += list(rng.integers(0, i, rng.integers(0, 4))) if i else []
            ptr.append(len(pred))
        return dict(
            ptr=np.array(ptr, "i4"),
            pred=np.array(pred or [0], "i4"),
            cost=rng.integers(0, 1000, (p.n, p.v), dtype="i4"),
            best=hl.empty((p.n, p.v), "i4"),
            v=p.v,
            n=p.n,
        )

    def reference(p, ptr, pred, cost, best, v, n):
        b = np.zeros((n, v), "i4")
        for i in range(v):
            ps = pred[ptr[i] : ptr[i + 1]]
            b[:, i] = cost[:, i] + (b[:, ps].max(1) if len(ps) else 0)
        return dict(best=b)

    plain = hl.OpenCL(S, "longest", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "limit",
        "the last way is left out",
        "j < ptr[i + 1]; ++j",
        "j < ptr[i + 1] - (ptr[i + 1] - ptr[i] > 2); ++j",
    ),
    ("plain", "start", "the first costs nothing", "b + cost[s * v + i]", "b + (i ? cost[s * v + i] : 0)"),
]
