"""Twice the signed areas of polygons with vertices in 32 bits, by offsets."""

import numpy as np

import hotloop as hl

A = """
__kernel void area(__global const int2 *v, __global const int *start, __global long *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int a = start[i], b = start[i + 1];
    long sum = 0;
    for (int k = a; k < b; ++k) {
        const int2 p = v[k], q = v[k + 1 < b ? k + 1 : a];
        sum += (long)p.x * q.y - (long)q.x * p.y;
    }
    o[i] = sum;
}
"""


@hl.kernel(
    problem=dict(n=300),
    work=lambda p: hl.Work(flops=30 * p.n, bytes=60 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=37)],
    domain=dict(v="range"),
)
class shoelace:
    def inputs(p, rng):
        start = np.concatenate([[0], np.cumsum(rng.integers(0, 12, p.n))]).astype("i4")
        return dict(
            v=rng.integers(-(2**27), 2**27, (max(1, int(start[-1])), 2), dtype="i4"),
            start=start,
            o=hl.empty(p.n, "i8"),
            n=p.n,
        )

    def reference(p, v, start, o, n):
        made = np.zeros(n, "i8")
        for i in range(n):
            w = v[start[i] : start[i + 1]].astype("i8")
            q = np.roll(w, -1, axis=0)
            made[i] = (w[:, 0] * q[:, 1] - q[:, 0] * w[:, 1]).sum()
        return dict(o=made)

    a = hl.OpenCL(A, "area", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "type", "products in 32 bits", "(long)p.x * q.y", "p.x * q.y"),
    ("a", "closing", "the polygon is not closed", "k + 1 < b ? k + 1 : a", "k + 1 < b ? k + 1 : k"),
    (
        "a",
        "sign",
        "the other way round",
        "sum += (long)p.x * q.y - (long)q.x * p.y",
        "sum += (long)q.x * p.y - (long)p.x * q.y",
    ),
    (
        "a",
        "type",
        "products in double",
        "sum += (long)p.x * q.y - (long)q.x * p.y",
        "sum += (long)((double)p.x * q.y - (double)q.x * p.y)",
    ),
    (
        "a",
        "type",
        "products in float",
        "sum += (long)p.x * q.y - (long)q.x * p.y",
        "sum += (long)((float)p.x * q.y - (float)q.x * p.y)",
    ),
]
