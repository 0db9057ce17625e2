"""Spherical interpolation of unit quaternions along the shorter arc; nearly equal ones by a normalised line."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float4 *a, __global const float4 *b, __global const float *t, __global float4 *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float4 p = a[i], q = b[i];
    float c = dot(p, q);
    if (c < 0.0f) { q = -q; c = -c; }
    if (c > 0.9995f) { o[i] = normalize(p + t[i] * (q - p)); return; }
    const float angle = acos(c), s = sin(angle);
    o[i] = (sin((1.0f - t[i]) * angle) / s) * p + (sin(t[i] * angle) / s) * q;
}
"""
PARTS = """
__kernel void k(__global const float *a, __global const float *b, __global const float *t, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float c = 0.0f;
    for (int j = 0; j < 4; ++j) c += a[4 * i + j] * b[4 * i + j];
    const float sign = c < 0.0f ? -1.0f : 1.0f;
    c *= sign;
    float u = 1.0f - t[i], v = t[i];
    if (c <= 0.9995f) {
        const float s2 = 1.0f - c * c, s = sqrt(s2), angle = atan2(s, c);
        u = sin(u * angle) / s;
        v = sin(v * angle) / s;
    } else {
        const float length = sqrt(u * u + v * v + 2.0f * u * v * c);
        u /= length;
        v /= length;
    }
    for (int j = 0; j < 4; ++j) o[4 * i + j] = u * a[4 * i + j] + sign * v * b[4 * i + j];
}
"""


@hl.kernel(
    problem=dict(n=3001),
    work=lambda p: hl.Work(flops=60 * p.n, bytes=52 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=400)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=2e-5),
    domain=dict(a="fixed", b="fixed", t="range"),
)
class slerp:
    def inputs(p, rng):
        unit = lambda v: (v / np.linalg.norm(v, axis=1, keepdims=True)).astype("f4")
        a = unit(rng.standard_normal((p.n, 4)))
        b = unit(rng.standard_normal((p.n, 4)))
        near = rng.random(p.n) < 0.2
        b[near] = unit(a[near] * rng.choice([-1.0, 1.0], (near.sum(), 1)) + 1e-3 * rng.standard_normal((near.sum(), 4)))
        return dict(a=a, b=b, t=rng.random(p.n, "f4"), o=hl.empty((p.n, 4)), n=np.int32(p.n))

    def reference(p, a, b, t, o, n):
        a, b, t = a.astype("f8"), b.astype("f8"), t.astype("f8")[:, None]
        c = (a * b).sum(1, keepdims=True)
        b, c = np.where(c < 0, -b, b), np.abs(c)
        angle = np.arccos(np.minimum(c, 1.0))
        s = np.sin(angle)
        arc = (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.where(s > 0, s, 1.0)
        line = a + t * (b - a)
        line /= np.linalg.norm(line, axis=1, keepdims=True)
        return dict(o=np.where(c > 0.9995, line, arc))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    parts = hl.OpenCL(PARTS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "sign", "the longer arc", "{ q = -q; c = -c; }", "{ c = -c; }"),
    (
        "plain",
        "scale",
        "the line is not normalised at all",
        "c > 0.9995f) { o[i] = normalize(p + t[i] * (q - p))",
        "c > 0.95f) { o[i] = (p + t[i] * (q - p))",
    ),
    (
        "plain",
        "swap",
        "from the other end",
        "(sin((1.0f - t[i]) * angle) / s) * p + (sin(t[i] * angle) / s) * q",
        "(sin(t[i] * angle) / s) * p + (sin((1.0f - t[i]) * angle) / s) * q",
    ),
    (
        "parts",
        "lost-tail",
        "the scalar product without its last part",
        "for (int j = 0; j < 4; ++j) c +=",
        "for (int j = 0; j < 3; ++j) c +=",
    ),
    ("parts", "sign", "the sign is forgotten at the end", "sign * v * b[4 * i + j]", "v * b[4 * i + j]"),
]
