"""Distances between all pairs of particles in a box that repeats, counted by sixteen shells."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void rd(__global const int4 *q, __global uint *shell, const int n) {
    __local uint h[16];
    const int l = get_local_id(0), i = get_global_id(0);
    if (l < 16) h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) for (int j = 0; j < i; ++j) {
        const int dx = ((q[i].x - q[j].x + 128) & 255) - 128, dy = ((q[i].y - q[j].y + 128) & 255) - 128, dz = ((q[i].z - q[j].z + 128) & 255) - 128;
        const int d = dx * dx + dy * dy + dz * dz;
        if (d < 16384) atomic_inc(&h[d >> 10]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) atomic_add(&shell[l], h[l]);
}
"""


@hl.kernel(
    problem=dict(n=400),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=130)],
)
class rdf:
    def inputs(p, rng):
        return dict(q=rng.integers(0, 256, (p.n, 4), dtype="i4"), shell=rng.integers(0, 100, 16, dtype="u4"), n=p.n)

    def reference(p, q, shell, n):
        out = shell.astype("i8").copy()
        t = q[:, :3].astype("i8")
        for i in range(p.n):
            d = (((t[i] - t[:i] + 128) % 256 - 128) ** 2).sum(1)
            out += np.bincount(d[d < 16384] >> 10, minlength=16)
        return dict(shell=out)

    a = hl.OpenCL(A, "rd", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "wrap",
        "the box does not repeat along z",
        "dz = ((q[i].z - q[j].z + 128) & 255) - 128",
        "dz = q[i].z - q[j].z",
    ),
    ("a", "atomic", "counted without an atomic", "atomic_inc(&h[d >> 10])", "h[d >> 10]++"),
    ("a", "limit", "a pair at the last distance is counted, beside the counts", "d < 16384", "d <= 16384"),
    (
        "a",
        "barrier",
        "no barrier before counts are added",
        "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (l < 16) atomic",
        "    }\n    if (l < 16) atomic",
    ),
    ("a", "uninitialised", "half of the counts are not cleared", "if (l < 16) h[l] = 0;", "if (l < 8) h[l] = 0;"),
    ("a", "double", "a particle is its own neighbour", "j < i; ++j", "j <= i; ++j"),
]
