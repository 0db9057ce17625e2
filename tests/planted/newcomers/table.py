"""Values between the points of a table, by linear interpolation."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *t, __global float *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = clamp(x[i], 0.0f, 1.0f) * (m - 1);
    const int j = min((int)v, m - 2);
    const float f = v - j;
    o[i] = t[j] * (1.0f - f) + t[j + 1] * f;
}
"""


@hl.kernel(
    problem=dict(n=4000, m=100),
    work=lambda p: hl.Work(flops=6 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1, m=2), dict(n=65, m=3), dict(n=100, m=33)],
    tolerance=hl.Tolerance(terms=lambda p: 2 * p.m, absolute=1e-4),
)
class table:
    def inputs(p, rng):
        return dict(
            x=rng.random(p.n, "f4"), t=rng.standard_normal(p.m, "f4"), o=hl.empty(p.n), n=np.int32(p.n), m=np.int32(p.m)
        )

    def reference(p, x, t, o, n, m):
        return dict(o=np.interp(x.astype("f8") * (p.m - 1), np.arange(p.m), t.astype("f8")))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "scale", "one point more", "* (m - 1)", "* m"),
    ("plain", "bounds", "the end is read beyond the table", "min((int)v, m - 2)", "(int)v"),
    ("plain", "rounding", "the nearest point below half", "(int)v", "(int)(v + 0.5f)"),
    (
        "plain",
        "interpolation",
        "weights exchanged",
        "t[j] * (1.0f - f) + t[j + 1] * f",
        "t[j] * f + t[j + 1] * (1.0f - f)",
    ),
    ("plain", "interpolation", "no interpolation", "t[j] * (1.0f - f) + t[j + 1] * f", "t[j]"),
    ("plain", "precision", "a fraction of 8 bits, as of a texture", "v - j", "rint(256.0f * (v - j)) / 256.0f"),
]
