"""Weights of four bits in groups of 32, with scales in half and zero points, unpacked to half."""

import numpy as np

import hotloop as hl

SRC = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void k(__global const uint *q, __global const half *s, __global const uchar *z, __global half *o, const int rows, const int cols) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= cols / 8 || r >= rows) return;
    const uint w = q[r * (cols / 8) + c];
    const int g = r * (cols / 32) + c / 4;
    const float scale = vload_half(g, s);
    const int zero = z[g];
    for (int j = 0; j < 8; ++j) {
        const int v = (int)(w >> 4 * j & 15) - zero;
        vstore_half(v * scale, r * cols + 8 * c + j, o);
    }
}
"""


@hl.kernel(
    problem=dict(rows=64, cols=512),
    work=lambda p: hl.Work(flops=2 * p.rows * p.cols, bytes=5 * p.rows * p.cols // 2),
    awkward=lambda p: [dict(rows=1, cols=32), dict(rows=3, cols=96), dict(rows=65, cols=64)],
    domain=dict(cols="multiple of 32", z="range", s="finite"),
)
class int4:
    def inputs(p, rng):
        return dict(
            q=rng.integers(0, 1 << 32, (p.rows, p.cols // 8), dtype="u4"),
            s=(0.01 + 0.02 * rng.random((p.rows, p.cols // 32))).astype("f2"),
            z=rng.integers(0, 16, (p.rows, p.cols // 32), dtype="u1"),
            o=hl.empty((p.rows, p.cols), "f2"),
            rows=np.int32(p.rows),
            cols=np.int32(p.cols),
        )

    def reference(p, q, s, z, o, rows, cols):
        v = (q[..., None] >> (4 * np.arange(8, dtype="u4")) & 15).reshape(p.rows, p.cols).astype("f8")
        return dict(o=(v - np.repeat(z, 32, axis=1).astype("f8")) * np.repeat(s, 32, axis=1).astype("f8"))

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (p.cols // 8, p.rows))


MUTANTS = [
    ("plain", "order", "nibbles from above", "w >> 4 * j & 15", "w >> (28 - 4 * j) & 15"),
    ("plain", "type", "signed nibbles", "(int)(w >> 4 * j & 15)", "((int)(w << (28 - 4 * j)) >> 28)"),
    ("plain", "index", "groups of 64", "c / 4;", "c / 8 * 2;"),
    ("plain", "scalar", "zero points of eight", "const int zero = z[g];", "const int zero = 8;"),
    ("plain", "rounding", "towards zero", "vstore_half(", "vstore_half_rtz("),
    ("plain", "type", "the zero is scaled in bits", "(int)(w >> 4 * j & 15) - zero", "(int)((w >> 4 * j) - zero & 15)"),
    ("plain", "mask", "high nibbles leak", "(int)(w >> 4 * j & 15)", "(int)(w >> 4 * j & 31)"),
]
