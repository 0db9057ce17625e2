"""Unit vectors as two numbers of sixteen bits: the octahedron's faces unfolded onto a square."""

import numpy as np

import hotloop as hl

A = """
__kernel void octnorm(__global const float *v, __global short2 *code, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float x = v[3 * i], y = v[3 * i + 1], z = v[3 * i + 2];
    const float s = 1.0f / (fabs(x) + fabs(y) + fabs(z));
    float a = x * s, b = y * s;
    if (z < 0.0f) {
        const float c = (1.0f - fabs(b)) * (a >= 0.0f ? 1.0f : -1.0f);
        b = (1.0f - fabs(a)) * (b >= 0.0f ? 1.0f : -1.0f);
        a = c;
    }
    code[i] = convert_short2_sat_rte((float2)(a, b) * 32767.0f);
}
"""


@hl.kernel(
    problem=dict(n=9000),
    work=lambda p: hl.Work(flops=12 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=500)],
    tolerance=hl.Tolerance(absolute=1),
    domain=dict(v="range"),
)
class octnorm:
    def inputs(p, rng):
        v = rng.standard_normal((p.n, 3))
        v[rng.random(p.n) < 0.2, 2] = 0
        v[rng.random(p.n) < 0.1, 0] = 0
        v[:, 1] += 0.01
        return dict(v=(v / np.linalg.norm(v, axis=1, keepdims=True)).astype("f4"), code=hl.empty((p.n, 2), "i2"), n=p.n)

    def reference(p, v, code, n):
        w = v.astype("f8")
        w /= np.abs(w).sum(1, keepdims=True)
        a, b = w[:, 0], w[:, 1]
        low = w[:, 2] < 0
        c = np.where(low, (1 - np.abs(b)) * np.where(a >= 0, 1, -1), a)
        d = np.where(low, (1 - np.abs(a)) * np.where(b >= 0, 1, -1), b)
        return dict(code=np.rint(np.stack([c, d], 1) * 32767).astype("i2"))

    a = hl.OpenCL(A, "octnorm", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "swap",
        "the second of the lower half from the new first",
        "a = c;",
        "a = c; b = (1.0f - fabs(a)) * (b >= 0.0f ? 1.0f : -1.0f);",
    ),
    ("a", "sign", "the lower half is not unfolded", "if (z < 0.0f)", "if (z < -2.0f)"),
    ("a", "zero", "a zero has no sign", "(a >= 0.0f ? 1.0f : -1.0f)", "sign(a)"),
    ("a", "norm", "the wrong norm", "1.0f / (fabs(x) + fabs(y) + fabs(z))", "rsqrt(x * x + y * y + z * z)"),
    ("a", "scalar", "of fifteen bits", "32767.0f", "16383.0f"),
    ("a", "sign", "positive only", "(b >= 0.0f ? 1.0f : -1.0f)", "1.0f"),
]
