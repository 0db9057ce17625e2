"""Whether points lie in a polygon, by how often a ray to the right crosses its edges, on a grid of whole numbers: half-open edges."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *px, __global const int *py, __global const int *vx, __global const int *vy, __global uchar *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const long x = px[i], y = py[i];
    uchar inside = 0;
    for (int e = 0; e < m; ++e) {
        const int f = e + 1 == m ? 0 : e + 1;
        const long x0 = vx[e], y0 = vy[e], x1 = vx[f], y1 = vy[f];
        if ((y0 > y) != (y1 > y)) {
            const long side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);
            if (y1 > y0 ? side > 0 : side < 0) inside ^= 1;
        }
    }
    o[i] = inside;
}
"""


@hl.kernel(
    problem=dict(n=3000, m=24),
    work=lambda p: hl.Work(flops=8 * p.n * p.m, bytes=9 * p.n),
    awkward=lambda p: [dict(n=1, m=3), dict(n=65, m=4), dict(n=500, m=37)],
)
class polygon:
    def inputs(p, rng):
        return dict(
            px=rng.integers(-100000, 100001, p.n, dtype="i4"),
            py=rng.integers(-100000, 100001, p.n, dtype="i4"),
            vx=rng.integers(-100000, 100001, p.m, dtype="i4"),
            vy=rng.integers(-100000, 100001, p.m, dtype="i4"),
            o=hl.empty(p.n, "u1"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, px, py, vx, vy, o, n, m):
        x, y = px.astype("i8")[:, None], py.astype("i8")[:, None]
        x0, y0 = vx.astype("i8")[None], vy.astype("i8")[None]
        x1, y1 = np.roll(x0, -1, 1), np.roll(y0, -1, 1)
        side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
        cross = ((y0 > y) != (y1 > y)) & np.where(y1 > y0, side > 0, side < 0)
        return dict(o=cross.sum(1) % 2)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "overflow",
        "products in 32 bits",
        "const long side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);",
        "const int side = (int)(x1 - x0) * (int)(y - y0) - (int)(x - x0) * (int)(y1 - y0);",
    ),
    (
        "plain",
        "ties",
        "edges are closed below and above",
        "(y0 > y) != (y1 > y)",
        "(y0 >= y && y >= y1) || (y1 >= y && y >= y0)",
    ),
    (
        "plain",
        "ties",
        "points on an edge lie inside",
        "y1 > y0 ? side > 0 : side < 0",
        "y1 > y0 ? side >= 0 : side <= 0",
    ),
    ("plain", "wrap", "the last edge is left out", "for (int e = 0; e < m; ++e)", "for (int e = 0; e < m - 1; ++e)"),
    ("plain", "over", "the vertex behind the last is the next", "e + 1 == m ? 0 : e + 1", "e + 1"),
    (
        "plain",
        "precision",
        "sides in float",
        "const long side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);",
        "const float side = (float)(x1 - x0) * (y - y0) - (float)(x - x0) * (y1 - y0);",
    ),
]
