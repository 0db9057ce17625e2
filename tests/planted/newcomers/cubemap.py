"""Face and place on it of directions in a cube map, nearest texel."""

import numpy as np

import hotloop as hl

S = r"""
__kernel void fetch(__global const float *dir, __global const float *faces, __global float *out, const int n, const int side) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float x = dir[3 * i], y = dir[3 * i + 1], z = dir[3 * i + 2];
    const float ax = fabs(x), ay = fabs(y), az = fabs(z);
    int face;
    float s, t, m;
    if (ax >= ay && ax >= az) { face = x < 0.0f ? 1 : 0; m = ax; s = x < 0.0f ? z : -z; t = -y; }
    else if (ay >= az) { face = y < 0.0f ? 3 : 2; m = ay; s = x; t = y < 0.0f ? -z : z; }
    else { face = z < 0.0f ? 5 : 4; m = az; s = z < 0.0f ? -x : x; t = -y; }
    const float u = 0.5f * (s / m + 1.0f) * (float)side, v = 0.5f * (t / m + 1.0f) * (float)side;
    const int col = clamp((int)u, 0, side - 1), row = clamp((int)v, 0, side - 1);
    out[i] = faces[(face * side + row) * side + col];
}
"""


@hl.kernel(
    problem=dict(n=3000, side=32),
    work=lambda p: hl.Work(flops=12 * p.n, bytes=20 * p.n),
    awkward=lambda p: [dict(n=1, side=1), dict(n=65, side=5), dict(n=200, side=16)],
)
class cubemap:
    def inputs(p, rng):
        rays = rng.standard_normal((p.n, 3), "f4")
        return dict(rays=rays, faces=rng.random((6, p.side, p.side), "f4"), out=hl.empty(p.n), n=p.n, side=p.side)

    def reference(p, rays, faces, out, n, side):
        x, y, z = rays.astype("f8").T
        ax, ay, az = np.abs(x), np.abs(y), np.abs(z)
        first, second = (ax >= ay) & (ax >= az), ay >= az
        face = np.where(first, x < 0, np.where(second, 2 + (y < 0), 4 + (z < 0))).astype(int)
        m = np.where(first, ax, np.where(second, ay, az))
        s = np.where(first, np.where(x < 0, z, -z), np.where(second, x, np.where(z < 0, -x, x)))
        t = np.where(first | ~second, -y, np.where(y < 0, -z, z))
        col = np.clip((0.5 * (s / m + 1) * side).astype(int), 0, side - 1)
        row = np.clip((0.5 * (t / m + 1) * side).astype(int), 0, side - 1)
        return dict(out=faces[face, row, col].astype("f8"))

    plain = hl.OpenCL(S, "fetch", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "sign", "the left face is mirrored", "s = x < 0.0f ? z : -z", "s = -z"),
    (
        "plain",
        "limit",
        "the last texel is never taken",
        "clamp((int)u, 0, side - 1)",
        "clamp((int)u, 0, max(side - 2, 0))",
    ),
    ("plain", "rounding", "to nearest for down", "clamp((int)v, 0, side - 1)", "clamp((int)rint(v), 0, side - 1)"),
    ("plain", "order", "of equal axes the last", "ax >= ay && ax >= az", "ax > ay && ax > az"),
    ("plain", "index", "faces of the y axis are exchanged", "y < 0.0f ? 3 : 2", "y < 0.0f ? 2 : 3"),
]
