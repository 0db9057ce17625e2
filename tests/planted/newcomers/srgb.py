"""Bytes in sRGB mixed half and half in linear light, back to bytes; alpha by weights."""

import numpy as np

import hotloop as hl

A = """
float linear(uchar c) { const float v = c / 255.0f; return v <= 0.04045f ? v / 12.92f : pow((v + 0.055f) / 1.055f, 2.4f); }
__kernel void mix_(__global const uchar *a, __global const uchar *b, __global const uchar *w, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float t = w[i] / 255.0f, v = linear(a[i]) * (1.0f - t) + linear(b[i]) * t;
    o[i] = v <= 0.0031308f ? 12.92f * v : 1.055f * pow(v, 1.0f / 2.4f) - 0.055f;
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=100 * p.n, bytes=7 * p.n),
    tolerance=hl.Tolerance(terms=16, absolute=3e-6),
)
class srgb:
    def inputs(p, rng):
        draw = lambda: rng.integers(0, 256, p.n, dtype="u1")
        return dict(a=draw(), b=draw(), w=draw(), o=hl.empty(p.n), n=p.n)

    def reference(p, a, b, w, o, n):
        def linear(c):
            v = c / 255.0
            return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)

        t = w / 255.0
        v = linear(a) * (1 - t) + linear(b) * t
        return dict(o=np.where(v <= 0.0031308, 12.92 * v, 1.055 * v ** (1 / 2.4) - 0.055))

    a = hl.OpenCL(A, "mix_", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "gamma", "a power of 2.2", "1.055f, 2.4f)", "1.055f, 2.2f)"),
    ("a", "toe", "no linear part", "v <= 0.04045f ? v / 12.92f :", "v < 0.0f ? 0.0f :"),
    ("a", "weight", "weights by 256", "w[i] / 255.0f", "w[i] / 256.0f"),
    ("a", "toe", "the linear part ends one level earlier", "v <= 0.04045f", "v <= 0.0375f"),
    ("a", "sign", "signed bytes", "__global const uchar *w", "__global const char *w"),
]
