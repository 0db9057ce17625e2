"""The first points within a radius of each centre, at most K of them, the first one repeated where there are fewer."""

import numpy as np

import hotloop as hl

A = """
__kernel void ball(__global const int *points, __global const int *centres, __global int *o, const int r2, const int n, const int m, const int k) {
    const int c = get_global_id(0);
    if (c >= m) return;
    int got = 0;
    for (int i = 0; i < n && got < k; ++i) {
        const int dx = points[3 * i] - centres[3 * c], dy = points[3 * i + 1] - centres[3 * c + 1], dz = points[3 * i + 2] - centres[3 * c + 2];
        if (dx * dx + dy * dy + dz * dz <= r2) {
            if (got == 0) for (int j = 0; j < k; ++j) o[c * k + j] = i;
            o[c * k + got++] = i;
        }
    }
    if (got == 0) for (int j = 0; j < k; ++j) o[c * k + j] = -1;
}
"""


@hl.kernel(
    problem=dict(n=400, m=150, k=8),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1, m=1, k=1), dict(n=33, m=5, k=3), dict(n=65, m=9, k=16)],
    domain=dict(points="range", centres="range"),
)
class ballq:
    def inputs(p, rng):
        return dict(
            points=rng.integers(0, 40, (p.n, 3), dtype="i4"),
            centres=rng.integers(-3, 43, (p.m, 3), dtype="i4"),
            o=hl.empty((p.m, p.k), "i4"),
            r2=int(rng.integers(20, 130)),
            n=p.n,
            m=p.m,
            k=p.k,
        )

    def reference(p, points, centres, o, r2, n, m, k):
        d = ((points[None].astype("i8") - centres[:, None]) ** 2).sum(2)
        out = np.full((p.m, p.k), -1, "i8")
        for c in range(p.m):
            hit = np.flatnonzero(d[c] <= r2)[: p.k]
            if hit.size:
                out[c] = hit[0]
                out[c, : hit.size] = hit
        return dict(o=out)

    a = hl.OpenCL(A, "ball", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "bounds", "at the radius is outside", "<= r2", "< r2"),
    ("a", "bounds", "one too few are taken", "got < k; ++i", "got < k - 1; ++i"),
    ("a", "bounds", "one too many are taken", "got < k; ++i", "got <= k; ++i"),
    ("a", "unwritten", "the rest is not filled", "if (got == 0) for (int j = 0; j < k; ++j) o[c * k + j] = i;\n", "\n"),
    (
        "a",
        "unwritten",
        "nothing is said where there is none",
        "    if (got == 0) for (int j = 0; j < k; ++j) o[c * k + j] = -1;\n",
        "",
    ),
    (
        "a",
        "symmetry",
        "z against y",
        "points[3 * i + 2] - centres[3 * c + 2]",
        "points[3 * i + 2] - centres[3 * c + 1]",
    ),
    (
        "a",
        "start",
        "the point at zero is none",
        "if (got == 0) for (int j = 0; j < k; ++j) o[c * k + j] = -1;",
        "if (got == 0 || o[c * k] == 0) for (int j = 0; j < k; ++j) o[c * k + j] = -1;",
    ),
    ("a", "lost-tail", "the last point", "i < n && got", "i < n - 1 && got"),
]
