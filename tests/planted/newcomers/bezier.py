"""Points on cubic curves by de Casteljau's steps: curves of four points in the plane, some parameters for each."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float2 *c, __global const float *t, __global float2 *o, const int curves, const int samples) {
    const int s = get_global_id(0), q = get_global_id(1);
    if (s >= samples || q >= curves) return;
    const float u = t[s];
    const float2 a = mix(c[4 * q], c[4 * q + 1], u), b = mix(c[4 * q + 1], c[4 * q + 2], u), d = mix(c[4 * q + 2], c[4 * q + 3], u);
    o[q * samples + s] = mix(mix(a, b, u), mix(b, d, u), u);
}
"""
POWERS = """
__kernel void k(__global const float *c, __global const float *t, __global float *o, const int curves, const int samples) {
    const int i = get_global_id(0);
    if (i >= 2 * curves * samples) return;
    const int axis = i & 1, s = i / 2 % samples, q = i / 2 / samples;
    const float u = t[s], v = 1.0f - u;
    __global const float *p = c + 8 * q + axis;
    o[i] = v * v * v * p[0] + 3.0f * u * v * v * p[2] + 3.0f * u * u * v * p[4] + u * u * u * p[6];
}
"""


@hl.kernel(
    problem=dict(curves=150, samples=64),
    work=lambda p: hl.Work(flops=36 * p.curves * p.samples, bytes=8 * p.curves * p.samples),
    awkward=lambda p: [dict(curves=1, samples=1), dict(curves=3, samples=17), dict(curves=65, samples=5)],
    tolerance=hl.Tolerance(terms=lambda p: 24, absolute=1e-5),
    domain=dict(t="range"),
)
class bezier:
    def inputs(p, rng):
        return dict(
            c=rng.standard_normal((p.curves, 4, 2), "f4"),
            t=rng.random(p.samples, "f4"),
            o=hl.empty((p.curves, p.samples, 2)),
            curves=np.int32(p.curves),
            samples=np.int32(p.samples),
        )

    def reference(p, c, t, o, curves, samples):
        c, u = c.astype("f8"), t.astype("f8")[None, :, None]
        v = 1 - u
        a, b, d, e = (c[:, j, None] for j in range(4))
        return dict(o=v**3 * a + 3 * u * v**2 * b + 3 * u**2 * v * d + u**3 * e)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.samples, p.curves))
    powers = hl.OpenCL(POWERS, "k", global_size=lambda p, c: (2 * p.curves * p.samples,))


MUTANTS = [
    ("plain", "index", "curves share their ends", "c[4 * q + 3], u)", "c[min(4 * q + 4, 4 * curves - 1)], u)"),
    (
        "plain",
        "scalar",
        "a step with the wrong weight",
        "mix(mix(a, b, u), mix(b, d, u), u)",
        "mix(mix(a, b, u), mix(b, d, u), 0.5f)",
    ),
    ("powers", "scalar", "a binomial is two", "3.0f * u * u * v", "2.0f * u * u * v"),
    ("powers", "layout", "both axes are x", "c + 8 * q + axis", "c + 8 * q"),
]
