"""Marching cubes: which of its eight corners lie inside, for every cell of a volume."""

import numpy as np

import hotloop as hl

A = """
__kernel void cases(__global const float *v, __global uchar *code, const int nx, const int ny, const int nz, const float level) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    uchar bits = 0;
    for (int k = 0; k < 8; ++k) {
        const int at = ((z + (k >> 2)) * ny + y + ((k >> 1) & 1)) * nx + x + (k & 1);
        if (v[at] > level) bits |= 1 << k;
    }
    code[(z * (ny - 1) + y) * (nx - 1) + x] = bits;
}
"""


@hl.kernel(
    problem=dict(nx=19, ny=14, nz=11),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.nx * p.ny * p.nz),
    awkward=lambda p: [dict(nx=2, ny=2, nz=2), dict(nx=3, ny=9, nz=2), dict(nx=8, ny=2, nz=5)],
)
class isocase:
    def inputs(p, rng):
        return dict(
            v=rng.standard_normal((p.nz, p.ny, p.nx), "f4"), code=hl.empty((p.nz - 1, p.ny - 1, p.nx - 1), "u1"),
            nx=p.nx, ny=p.ny, nz=p.nz, level=0.25,
        )  # fmt: skip

    def reference(p, v, code, nx, ny, nz, level):
        inside = v > np.float32(level)
        out = np.zeros((p.nz - 1, p.ny - 1, p.nx - 1), "u1")
        for k in range(8):
            a, b, c = k >> 2, k >> 1 & 1, k & 1
            out |= inside[a : a + p.nz - 1, b : b + p.ny - 1, c : c + p.nx - 1].astype("u1") << k
        return dict(code=out)

    a = hl.OpenCL(A, "cases", global_size=lambda p, c: (p.nx, p.ny, p.nz))


MUTANTS = [
    ("a", "boundary", "corners on the level are inside", "v[at] > level", "v[at] >= level"),
    (
        "a",
        "index",
        "y and x are exchanged among the corners",
        "y + ((k >> 1) & 1)) * nx + x + (k & 1)",
        "y + (k & 1)) * nx + x + ((k >> 1) & 1)",
    ),
    ("a", "stride", "planes as if cells", "* ny + y", "* (ny - 1) + y"),
    ("a", "scalar", "the level is a constant", "> level", "> 0.25f"),
    ("a", "bounds", "the last plane is lost", "z >= nz - 1) return", "z >= nz - 1 - (nz > 2)) return"),
    ("a", "type", "a bit is lost", "k < 8; ++k", "k < 7; ++k"),
]
