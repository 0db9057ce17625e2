"""Rows over their root mean square, times a weight."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *w, __global float *o, const int n, const int m, const float eps) {
    const int r = get_global_id(0);
    if (r >= n) return;
    float s = 0.0f;
    for (int j = 0; j < m; ++j) s += x[r * m + j] * x[r * m + j];
    const float f = 1.0f / sqrt(s / m + eps);
    for (int j = 0; j < m; ++j) o[r * m + j] = x[r * m + j] * f * w[j];
}
"""
GROUP = """
__kernel void k(__global const float *x, __global const float *w, __global float *o, const int n, const int m, const float eps) {
    __local float part[32];
    const int r = get_group_id(0), l = get_local_id(0);
    float s = 0.0f;
    for (int j = l; j < m; j += 32) s = fma(x[r * m + j], x[r * m + j], s);
    part[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 16; d > 0; d >>= 1) {
        if (l < d) part[l] += part[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float f = rsqrt(part[0] / (float)m + eps);
    for (int j = l; j < m; j += 32) o[r * m + j] = x[r * m + j] * f * w[j];
}
"""


@hl.kernel(
    problem=dict(n=200, m=150),
    work=lambda p: hl.Work(flops=4 * p.n * p.m, bytes=8 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=9, m=33), dict(n=33, m=64)],
    tolerance=hl.Tolerance(terms=lambda p: p.m),
)
class rmsnorm:
    def inputs(p, rng):
        g = rng.standard_normal
        return dict(
            x=g((p.n, p.m), "f4"),
            w=g(p.m, "f4"),
            o=hl.empty((p.n, p.m)),
            n=np.int32(p.n),
            m=np.int32(p.m),
            eps=np.float32(1e-5),
        )

    def reference(p, x, w, o, n, m, eps):
        v = x.astype("f8")
        return dict(o=v / np.sqrt((v * v).mean(axis=1, keepdims=True) + float(eps)) * w.astype("f8"))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "scalar", "no eps", "s / m + eps", "s / m"),
    ("plain", "scalar", "eps outside the root", "1.0f / sqrt(s / m + eps)", "1.0f / (sqrt(s / m) + eps)"),
    ("plain", "index", "weights by row", "* w[j]", "* w[r % m]"),
    ("plain", "mean", "the sum instead of the mean", "s / m + eps", "s + eps"),
    ("plain", "mean", "one less", "s / m + eps", "s / max(m - 1, 1) + eps"),
    (
        "group",
        "barrier",
        "no barrier before the sum",
        "part[l] = s;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "part[l] = s;",
    ),
    (
        "group",
        "barrier",
        "no barrier within the sum",
        "part[l + d];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "part[l + d];",
    ),
    ("group", "reduction", "half of the parts", "int d = 16", "int d = 8"),
    (
        "group",
        "precision",
        "roots of half precision",
        "rsqrt(part[0] / (float)m + eps)",
        "as_float(as_uint(rsqrt(part[0] / (float)m + eps)) & 0xffffe000u)",
    ),
]
