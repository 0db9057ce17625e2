"""One step of the heat equation in three dimensions; the border stays."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *a, __global float *o, const int n) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= n || y >= n || z >= n) return;
    const int at = (z * n + y) * n + x;
    const float c = a[at];
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) { o[at] = c; return; }
    o[at] = 0.125f * (a[at + 1] - 2.0f * c + a[at - 1]) + 0.125f * (a[at + n] - 2.0f * c + a[at - n])
          + 0.125f * (a[at + n * n] - 2.0f * c + a[at - n * n]) + c;
}
"""
COLUMNS = """
__kernel void k(__global const float *a, __global float *o, const int n) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= n || y >= n) return;
    const bool edge = x == 0 || y == 0 || x == n - 1 || y == n - 1;
    for (int z = 0; z < n; ++z) {
        const int at = (z * n + y) * n + x;
        float r = a[at];
        if (!edge && z > 0 && z < n - 1)
            r = 0.25f * r + 0.125f * (a[at + 1] + a[at - 1] + a[at + n] + a[at - n] + a[at + n * n] + a[at - n * n]);
        o[at] = r;
    }
}
"""


@hl.kernel(
    problem=dict(n=40),
    work=lambda p: hl.Work(flops=10 * p.n**3, bytes=8 * p.n**3),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=17)],
    tolerance=hl.Tolerance(terms=lambda p: 12, absolute=1e-6),
)
class heat3d:
    def inputs(p, rng):
        return dict(a=rng.standard_normal((p.n, p.n, p.n), "f4"), o=hl.empty((p.n, p.n, p.n)), n=np.int32(p.n))

    def reference(p, a, o, n):
        w = a.astype("f8")
        r = w.copy()
        if p.n > 2:
            c = w[1:-1, 1:-1, 1:-1]
            s = (
                w[2:, 1:-1, 1:-1]
                + w[:-2, 1:-1, 1:-1]
                + w[1:-1, 2:, 1:-1]
                + w[1:-1, :-2, 1:-1]
                + w[1:-1, 1:-1, 2:]
                + w[1:-1, 1:-1, :-2]
            )
            r[1:-1, 1:-1, 1:-1] = 0.25 * c + 0.125 * s
        return dict(o=r)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n, p.n, p.n))
    columns = hl.OpenCL(COLUMNS, "k", global_size=lambda p, c: (p.n, p.n))


MUTANTS = [
    (
        "plain",
        "border",
        "the last plane is computed",
        "z == 0 || x == n - 1 || y == n - 1 || z == n - 1",
        "z == 0 || x == n - 1 || y == n - 1",
    ),
    ("plain", "border", "the first column is computed", "x == 0 || y == 0", "y == 0"),
    ("plain", "term", "a neighbour twice", "a[at + n] - 2.0f * c + a[at - n]", "a[at + n] - 2.0f * c + a[at + n]"),
    ("plain", "constant", "another coefficient in one direction", "0.125f * (a[at + n * n]", "0.25f * (a[at + n * n]"),
    ("plain", "border", "the border is not written", "{ o[at] = c; return; }", "return;"),
    ("columns", "border", "the last plane but one", "z < n - 1)", "z < n - 2)"),
    ("columns", "term", "a neighbour is missing", " + a[at - n] + a[at + n * n]", " + a[at + n * n]"),
    ("columns", "index", "rows for planes", "a[at - n * n])", "a[at - n])"),
]
