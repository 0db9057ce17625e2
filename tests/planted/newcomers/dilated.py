"""A filter along rows with gaps, strides and channels."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *f, __global float *o, const int m, const int ci, const int co) {
    const int j = get_global_id(0), c = get_global_id(1);
    if (j >= m || c >= co) return;
    const int width = 2 * (m - 1) + 7;
    float s = 0.0f;
    for (int a = 0; a < ci; ++a)
        for (int q = 0; q < 3; ++q)
            s += x[a * width + 2 * j + 3 * q] * f[(c * ci + a) * 3 + q];
    o[c * m + j] = s;
}
"""
CACHED = """
__kernel void k(__global const float *x, __global const float *f, __global float *o, const int m, const int ci, const int co) {
    __local float g[96];
    const int j = get_global_id(0), c = get_group_id(1), l = get_local_id(0), width = 2 * m + 5;
    for (int i = l; i < 3 * ci; i += 32) g[i] = f[c * ci * 3 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j >= m) return;
    float s = 0.0f;
    for (int a = 0; a < ci; ++a) {
        __global const float *row = x + a * width + 2 * j;
        s = fma(row[0], g[3 * a], fma(row[3], g[3 * a + 1], fma(row[6], g[3 * a + 2], s)));
    }
    o[c * m + j] = s;
}
"""


@hl.kernel(
    problem=dict(m=200, ci=12, co=10),
    work=lambda p: hl.Work(flops=6 * p.m * p.ci * p.co, bytes=8 * p.m * (p.ci + p.co)),
    awkward=lambda p: [dict(m=1, ci=1, co=1), dict(m=33, ci=2, co=3), dict(m=64, ci=32, co=2)],
    tolerance=hl.Tolerance(terms=lambda p: 3 * p.ci, absolute=2e-5),
    domain=dict(ci="any", co="any"),
)
class dilated:
    def inputs(p, rng):
        g = rng.standard_normal
        return dict(
            x=g((p.ci, 2 * p.m + 5), "f4"),
            f=g((p.co, p.ci, 3), "f4"),
            o=hl.empty((p.co, p.m)),
            m=np.int32(p.m),
            ci=np.int32(p.ci),
            co=np.int32(p.co),
        )

    def reference(p, x, f, o, m, ci, co):
        w, g = x.astype("f8"), f.astype("f8")
        s = sum(np.einsum("ca,aj->cj", g[:, :, q], w[:, 3 * q : 3 * q + 2 * p.m - 1 : 2]) for q in range(3))
        return dict(o=s)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.m, p.co))
    cached = hl.OpenCL(
        CACHED, "k", global_size=lambda p, c: (-(-p.m // 32) * 32, p.co), local_size=lambda p, c: (32, 1)
    )


MUTANTS = [
    ("plain", "stride", "a stride of one", "2 * j + 3 * q", "j + 3 * q"),
    ("plain", "dilation", "a gap of two", "2 * j + 3 * q", "2 * j + 2 * q"),
    ("plain", "lost-tail", "the last tap is left out", "q < 3", "q < 2"),
    ("plain", "index", "channels exchanged", "f[(c * ci + a) * 3 + q]", "f[(a * ci + c) % (ci * co) * 3 + q]"),
    ("plain", "order", "the filter reversed", "* 3 + q];\n", "* 3 + 2 - q];\n"),
    ("cached", "barrier", "no barrier after the filter is loaded", "+ i];\n    barrier(CLK_LOCAL_MEM_FENCE);", "+ i];"),
    (
        "cached",
        "lost-tail",
        "channels beyond ten are not loaded",
        "for (int i = l; i < 3 * ci; i += 32)",
        "for (int i = l; i < min(3 * ci, 32); i += 32)",
    ),
    ("cached", "index", "the filter of the first", "f[c * ci * 3 + i]", "f[i]"),
]
