"""Of each element of a permutation: the least element and the length of its cycle."""

import numpy as np

import hotloop as hl

A = """
__kernel void cyc(__global const ushort *to, __global ushort *least, __global ushort *length, const int n) {
    const int i = get_global_id(0), r = get_global_id(1);
    if (i >= n) return;
    __global const ushort *row = to + r * n;
    int low = i, many = 1;
    for (int k = row[i]; k != i; k = row[k]) {
        low = min(low, k);
        ++many;
    }
    least[r * n + i] = low;
    length[r * n + i] = many;
}
"""


@hl.kernel(
    problem=dict(n=300, rows=12),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.rows * p.n),
    awkward=lambda p: [dict(n=1, rows=1), dict(n=7, rows=3), dict(n=65, rows=2)],
    domain=dict(to="unique", n="fixed"),
)
class cycles:
    def inputs(p, rng):
        return dict(
            to=np.stack([rng.permutation(p.n) for _ in range(p.rows)]).astype("u2"),
            least=hl.empty((p.rows, p.n), "u2"),
            length=hl.empty((p.rows, p.n), "u2"),
            n=p.n,
        )

    def reference(p, to, least, length, n):
        low, many = np.zeros((p.rows, p.n), "i8"), np.zeros((p.rows, p.n), "i8")
        for r, row in enumerate(to):
            for i in range(p.n):
                k, met = int(row[i]), [i]
                while k != i:
                    met.append(k)
                    k = int(row[k])
                low[r, i], many[r, i] = min(met), len(met)
        return dict(least=low, length=many)

    a = hl.OpenCL(A, "cyc", global_size=lambda p, c: (p.n, p.rows))


MUTANTS = [
    ("a", "start", "its own place does not count", "int low = i, many = 1;", "int low = row[i], many = 1;"),
    ("a", "start", "lengths begin at zero", "many = 1;", "many = 0;"),
    ("a", "narrow", "lengths in eight bits", "int low = i, many = 1;", "int low = i; uchar many = 1;"),
    ("a", "stride", "the first row's permutation", "to + r * n", "to"),
    ("a", "order", "the largest", "low = min(low, k)", "low = max(low, k)"),
    ("a", "bounds", "a cycle of two is left early", "k != i; k = row[k]", "k != i && row[k] != i; k = row[k]"),
    ("a", "limit", "at most 128 steps", "k != i; k = row[k]", "k != i && many < 128; k = row[k]"),
]
