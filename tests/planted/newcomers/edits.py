"""Edit distances of pairs of short words."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *a, __global const uchar *b, __global int *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int row[33];
    for (int j = 0; j <= m; ++j) row[j] = j;
    for (int r = 1; r <= m; ++r) {
        int diagonal = row[0];
        row[0] = r;
        for (int j = 1; j <= m; ++j) {
            const int cost = diagonal + (a[i * m + r - 1] != b[i * m + j - 1]);
            diagonal = row[j];
            row[j] = min(cost, min(row[j], row[j - 1]) + 1);
        }
    }
    o[i] = row[m];
}
"""


@hl.kernel(
    problem=dict(n=500, m=20),
    work=lambda p: hl.Work(flops=4 * p.n * p.m * p.m, bytes=2 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=65, m=8), dict(n=7, m=32)],
    domain=dict(a="range", b="range", m="fixed"),
)
class edits:
    def inputs(p, rng):
        a, b = (rng.integers(97, 101, (p.n, p.m), dtype="u1") for _ in range(2))
        return dict(a=a, b=b, o=hl.empty(p.n, "int32"), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, a, b, o, n, m):
        row = np.tile(np.arange(p.m + 1), (p.n, 1))
        for r in range(1, p.m + 1):
            new = np.empty_like(row)
            new[:, 0] = r
            for j in range(1, p.m + 1):
                cost = row[:, j - 1] + (a[:, r - 1] != b[:, j - 1])
                new[:, j] = np.minimum(cost, np.minimum(row[:, j], new[:, j - 1]) + 1)
            row = new
        return dict(o=row[:, p.m])

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "start", "the first row is zero", "row[j] = j;", "row[j] = 0;"),
    ("plain", "start", "the first column is zero", "row[0] = r;", "row[0] = 0;"),
    (
        "plain",
        "order",
        "the diagonal is the new one",
        "diagonal = row[j];\n            row[j] = min(cost, min(row[j], row[j - 1]) + 1);",
        "row[j] = min(cost, min(row[j], row[j - 1]) + 1);\n            diagonal = row[j];",
    ),
    ("plain", "compare", "equal letters cost", "!= b[i * m + j - 1]", "== b[i * m + j - 1]"),
    ("plain", "minimum", "no deletions", "min(row[j], row[j - 1]) + 1", "row[j - 1] + 1"),
    ("plain", "index", "letters are one off", "a[i * m + r - 1]", "a[i * m + r % m]"),
    ("plain", "lost-tail", "the last letter is left out", "r <= m;", "r < m;"),
]
