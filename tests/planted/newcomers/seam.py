"""A row of seam carving: each pixel's energy and the least of three above it, and from where, the left one of equals."""

import numpy as np

import hotloop as hl

A = """
__kernel void seam(__global const int *above, __global const int *energy, __global int *cost, __global char *from, const int n) {
    const int j = get_global_id(0), row = get_global_id(1);
    if (j >= n) return;
    int best = INT_MAX, at = 0;
    for (int d = -1; d <= 1; ++d)
        if (j + d >= 0 && j + d < n && above[row * n + j + d] < best) { best = above[row * n + j + d]; at = d; }
    cost[row * n + j] = best + energy[row * n + j];
    from[row * n + j] = at;
}
"""


@hl.kernel(
    problem=dict(m=8, n=300),
    work=lambda p: hl.Work(flops=0, bytes=13 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=2, n=2), dict(m=3, n=65)],
    domain=dict(above="range", energy="range"),
)
class seam:
    def inputs(p, rng):
        return dict(
            above=rng.integers(0, 1000, (p.m, p.n), dtype="i4"), energy=rng.integers(0, 256, (p.m, p.n), dtype="i4"),
            cost=hl.empty((p.m, p.n), "i4"), **{"from": hl.empty((p.m, p.n), "i1")}, n=p.n,
        )  # fmt: skip

    def reference(p, above, energy, cost, n, **more):
        wide = np.pad(above.astype("i8"), [(0, 0), (1, 1)], constant_values=2**40)
        three = np.stack([wide[:, k : k + p.n] for k in range(3)])
        return {"cost": three.min(0) + energy, "from": three.argmin(0) - 1}

    a = hl.OpenCL(A, "seam", global_size=lambda p, c: (p.n, p.m))


MUTANTS = [
    ("a", "ties", "the right one of equals", "above[row * n + j + d] < best)", "above[row * n + j + d] <= best)"),
    ("a", "boundary", "the row before is above the first", "j + d >= 0 && ", "row * n + j + d >= 0 && "),
    ("a", "boundary", "the last is never above", "j + d < n &&", "j + d < n - (n > 1) &&"),
    ("a", "bounds", "two above only", "d <= 1; ++d", "d <= 0; ++d"),
    (
        "a",
        "index",
        "energy of the neighbour above",
        "energy[row * n + j];\n",
        "energy[row * n + clamp(j + at, 0, n - 1)];\n",
    ),
]
