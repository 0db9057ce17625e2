"""Lennard-Jones forces in a periodic box: nearest images, a cut-off; all pairs, and in tiles."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *f, const int n, const float box, const float cut2) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        float dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
        dx -= box * rint(dx / box); dy -= box * rint(dy / box); dz -= box * rint(dz / box);
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 >= cut2) continue;
        const float i2 = 1.0f / r2, i6 = i2 * i2 * i2, p = 24.0f * i2 * i6 * (2.0f * i6 - 1.0f);
        fx += p * dx; fy += p * dy; fz += p * dz;
    }
    f[3 * i] = fx; f[3 * i + 1] = fy; f[3 * i + 2] = fz;
}
"""
TILES = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void k(__global const float *x, __global float *f, const int n, const float box, const float cut2) {
    __local float4 t[32];
    const int i = get_global_id(0), l = get_local_id(0), s = min(i, n - 1);
    const float4 me = (float4)(vload3(s, x), 0.0f);
    float4 sum = (float4)(0.0f);
    for (int first = 0; first < n; first += 32) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (first + l < n) t[l] = (float4)(vload3(first + l, x), 0.0f);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 32 && first + j < n; ++j) {
            float4 d = me - t[j];
            d -= box * rint(d / box);
            const float r2 = dot(d, d);
            if (r2 >= cut2 || first + j == i) continue;
            const float i2 = 1.0f / r2, i6 = i2 * i2 * i2;
            sum += 24.0f * i2 * i6 * (2.0f * i6 - 1.0f) * d;
        }
    }
    if (i < n) vstore3(sum.xyz, i, f);
}
"""


@hl.kernel(
    problem=dict(n=216),
    work=lambda p: hl.Work(flops=30 * p.n * p.n, bytes=24 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=8), dict(n=33)],
    tolerance=hl.Tolerance(terms=lambda p: p.n, factor=64.0, absolute=1e-4),
    domain=dict(x="fixed", box="range", cut2="range", n="fixed"),
)
class lj:
    def inputs(p, rng):
        side = int(np.ceil(p.n ** (1 / 3)))
        grid = np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3)[: p.n]
        x = (grid * 1.2 + rng.random((p.n, 3)) * 0.25).astype("f4")
        return dict(
            x=x, f=hl.empty((p.n, 3)), n=np.int32(p.n), box=np.float32(1.2 * max(side, 2)), cut2=np.float32(4.0)
        )

    def reference(p, x, f, n, box, cut2):
        x, box = x.astype("f8"), float(box)
        d = x[:, None] - x[None]
        d = d - box * np.rint(d / box)
        r2 = (d * d).sum(2) + np.eye(p.n)
        i2 = np.where((r2 < float(cut2)) & (np.eye(p.n) == 0), 1 / r2, 0.0)
        force = (24 * i2 * i2**3 * (2 * i2**3 - 1))[:, :, None] * d
        return dict(f=force.sum(1))

    def magnitude(p, x, f, n, box, cut2):
        x, box = x.astype("f8"), float(box)
        d = x[:, None] - x[None]
        d = d - box * np.rint(d / box)
        r2 = (d * d).sum(2) + np.eye(p.n)
        i2 = np.where((r2 < float(cut2)) & (np.eye(p.n) == 0), 1 / r2, 0.0)
        return dict(f=((24 * i2 * i2**3 * (2 * i2**3 + 1))[:, :, None] * np.abs(d)).sum(1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    tiles = hl.OpenCL(TILES, "k", global_size=lambda p, c: (-(-p.n // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "wrap", "no nearest image along z", " dz -= box * rint(dz / box);", ""),
    ("plain", "limit", "the cut-off is not squared", "r2 >= cut2", "r2 >= sqrt(cut2)"),
    ("plain", "self", "a particle meets itself", "        if (j == i) continue;\n", ""),
    (
        "tiles",
        "barrier",
        "no barrier before a tile is replaced",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n        if (first",
        "        if (first",
    ),
    ("tiles", "tail", "rest of the last tile", "j < 32 && first + j < n", "j < 32"),
    ("tiles", "sign", "attraction is forgotten", "(2.0f * i6 - 1.0f)", "(2.0f * i6)"),
]
