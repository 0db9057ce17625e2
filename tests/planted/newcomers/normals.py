"""Normals of a mesh's corners in whole numbers: cross products of its triangles added at each corner."""

import numpy as np

import hotloop as hl

A = """
__kernel void nm(__global const short4 *v, __global const int *f, __global int *o, const int faces) {
    const int i = get_global_id(0);
    if (i >= faces) return;
    const int4 a = convert_int4(v[f[3 * i]]), b = convert_int4(v[f[3 * i + 1]]) - a, c = convert_int4(v[f[3 * i + 2]]) - a;
    const int x = b.y * c.z - b.z * c.y, y = b.z * c.x - b.x * c.z, z = b.x * c.y - b.y * c.x;
    for (int k = 0; k < 3; ++k) {
        const int at = 3 * f[3 * i + k];
        atomic_add(&o[at], x);
        atomic_add(&o[at + 1], y);
        atomic_add(&o[at + 2], z);
    }
}
"""


@hl.kernel(
    problem=dict(corners=200, faces=3000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 9 * p.faces),
    awkward=lambda p: [dict(corners=3, faces=1), dict(corners=5, faces=65), dict(corners=50, faces=100)],
    domain=dict(f="indices", v="range"),
)
class normals:
    def inputs(p, rng):
        return dict(
            v=rng.integers(-500, 500, (p.corners, 4), dtype="i2"),
            f=rng.integers(0, p.corners, (p.faces, 3), dtype="i4"),
            o=np.zeros((p.corners, 3), "i4"),
            faces=p.faces,
        )

    def reference(p, v, f, o, faces):
        t = v[:, :3].astype("i8")
        n = np.cross(t[f[:, 1]] - t[f[:, 0]], t[f[:, 2]] - t[f[:, 0]])
        out = o.astype("i8")
        for k in range(3):
            np.add.at(out, f[:, k], n)
        return dict(o=out)

    a = hl.OpenCL(A, "nm", global_size=lambda p, c: (p.faces,))


MUTANTS = [
    ("a", "atomic", "z is added without an atomic", "atomic_add(&o[at + 2], z)", "o[at + 2] += z"),
    ("a", "sign", "a product has the other sign", "b.z * c.x - b.x * c.z", "b.x * c.z - b.z * c.x"),
    ("a", "narrow", "products in 16 bits", "z = b.x * c.y - b.y * c.x", "z = (short)(b.x * c.y) - b.y * c.x"),
    ("a", "tail", "the third corner of the last face gets nothing", "k < 3; ++k", "k < 3 - (i == faces - 1); ++k"),
]
