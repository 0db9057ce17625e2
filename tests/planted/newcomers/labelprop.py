"""One round of label propagation: the most frequent label of the neighbours, of equals the smallest."""

import numpy as np

import hotloop as hl

A = """
__kernel void lp(__global const int *off, __global const int *adj, __global const int *label, __global int *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int best = label[i], most = 0;
    for (int k = off[i]; k < off[i + 1]; ++k) {
        const int a = label[adj[k]];
        int count = 0;
        for (int j = off[i]; j < off[i + 1]; ++j) count += label[adj[j]] == a;
        if (count > most || count == most && a < best) { best = a; most = count; }
    }
    o[i] = best;
}
"""


@hl.kernel(
    problem=dict(n=600, edges=5000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.edges),
    awkward=lambda p: [dict(n=1, edges=1), dict(n=7, edges=20), dict(n=64, edges=100)],
)
class labelprop:
    def inputs(p, rng):
        return dict(
            off=np.sort(np.r_[0, rng.integers(0, p.edges + 1, p.n - 1), p.edges]).astype("i4"),
            adj=rng.integers(0, p.n, p.edges, dtype="i4"),
            label=rng.integers(0, 6, p.n, dtype="i4"),
            o=hl.empty(p.n, "i4"),
            n=p.n,
        )

    def reference(p, off, adj, label, o, n):
        out = label.copy()
        for i in range(p.n):
            if off[i] < off[i + 1]:
                values, counts = np.unique(label[adj[off[i] : off[i + 1]]], return_counts=True)
                out[i] = values[counts.argmax()]
        return dict(o=out)

    a = hl.OpenCL(A, "lp", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "ties", "of equals the first", "count > most || count == most && a < best", "count > most"),
    ("a", "ties", "of equals the largest", "count == most && a < best", "count == most && a > best"),
    ("a", "empty", "a node without neighbours has label zero", "best = label[i], most", "best = 0, most"),
    ("a", "bounds", "one neighbour too many is compared", "j < off[i + 1]; ++j", "j <= off[i + 1]; ++j"),
    ("a", "limit", "the own label needs a majority of two", "most = 0;", "most = 1;"),
    ("a", "type", "labels compared in 8 bits", "label[adj[j]] == a", "(uchar)label[adj[j]] == (uchar)a"),
]
