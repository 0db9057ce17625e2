"""What flows out of each node less what flows in; an edge is a row of two nodes and a weight."""

import numpy as np

import hotloop as hl

S = r"""
// edges are triples: from, to, capacity. Net flow out of each vertex.
__kernel void net(__global const int *edges, __global int *out, const int m) {
    const int e = get_global_id(0);
    if (e >= m) return;
    const int u = edges[3 * e], v = edges[3 * e + 1], c = edges[3 * e + 2];
    if (u == v) return;
    atomic_add(&out[u], c);
    atomic_sub(&out[v], c);
}
"""


@hl.kernel(
    problem=dict(n=500, m=6000),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.m + 8 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=7, m=65), dict(n=33, m=2)],
)
class netflow:
    def inputs(p, rng):
        e = np.stack([rng.integers(0, p.n, p.m), rng.integers(0, p.n, p.m), rng.integers(1, 100000, p.m)], 1).astype(
            "i4"
        )
        return dict(edges=e, out=np.zeros(p.n, "i4"), m=p.m)

    def reference(p, edges, out, m):
        r = out.copy()
        u, v, c = edges.T
        keep = u != v
        np.add.at(r, u[keep], c[keep])
        np.subtract.at(r, v[keep], c[keep])
        return dict(out=r)

    plain = hl.OpenCL(S, "net", global_size=lambda p, c: (p.m,))


MUTANTS = [("plain", "atomic", "plain addition", "atomic_add(&out[u], c);", "out[u] += c;")]
