"""The discrete cosine transform of 8 x 8 blocks of an image of bytes, minus 128, rounded to 16 bits, in float."""

import numpy as np

import hotloop as hl

BLOCK = """
__attribute__((reqd_work_group_size(8, 8, 1)))
__kernel void k(__global const uchar *f, __global const float *basis, __global float *y, const int w) {
    __local float a[8][8], b[8][8];
    const int u = get_local_id(0), v = get_local_id(1), x0 = get_group_id(0) * 8, y0 = get_group_id(1) * 8;
    a[v][u] = f[(y0 + v) * w + x0 + u] - 128.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int q = 0; q < 8; ++q) s += a[v][q] * basis[u * 8 + q];
    b[v][u] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    s = 0;
    for (int q = 0; q < 8; ++q) s += b[q][u] * basis[v * 8 + q];
    y[(y0 + v) * w + x0 + u] = s;
}
"""


@hl.kernel(
    problem=dict(rows=5, cols=9),
    work=lambda p: hl.Work(flops=2048 * p.rows * p.cols, bytes=320 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=2)],
    tolerance=hl.Tolerance(terms=16, absolute=1e-3),
    domain=dict(basis="fixed"),
)
class dct:
    def inputs(p, rng):
        u, x = np.mgrid[:8, :8]
        basis = np.cos((2 * x + 1) * u * np.pi / 16) * np.where(u == 0, np.sqrt(1 / 8), 0.5)
        return dict(
            f=rng.integers(0, 256, (8 * p.rows, 8 * p.cols), dtype="u1"),
            basis=basis.astype("f4"),
            y=hl.empty((8 * p.rows, 8 * p.cols)),
            w=np.int32(8 * p.cols),
        )

    def reference(p, f, basis, y, w):
        m = basis.astype("f8")
        blocks = (f.astype("f8") - 128).reshape(p.rows, 8, p.cols, 8).transpose(0, 2, 1, 3)
        return dict(y=(m @ blocks @ m.T).transpose(0, 2, 1, 3).reshape(f.shape))

    block = hl.OpenCL(BLOCK, "k", global_size=lambda p, c: (8 * p.cols, 8 * p.rows), local_size=lambda p, c: (8, 8))


MUTANTS = [
    ("block", "scalar", "shifted by 127", "- 128.0f", "- 127.0f"),
    ("block", "type", "pixels are signed", "f[(y0 + v) * w + x0 + u] -", "(char)f[(y0 + v) * w + x0 + u] -"),
    (
        "block",
        "fragment",
        "the second pass uses the first one's row",
        "b[q][u] * basis[v * 8 + q]",
        "b[u][q] * basis[v * 8 + q]",
    ),
    (
        "block",
        "barrier",
        "no barrier between the passes",
        "    b[v][u] = s;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "    b[v][u] = s;",
    ),
    (
        "block",
        "precision",
        "the first pass is kept in bfloat16",
        "b[v][u] = s;",
        "b[v][u] = as_float(as_uint(s) & 0xffff0000u);",
    ),
    ("block", "precision", "the first pass is kept in integers", "b[v][u] = s;", "b[v][u] = rint(s);"),
]
