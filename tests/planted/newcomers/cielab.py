"""Linear RGB (D65) to CIELAB, planes in, pixels out."""

import numpy as np

import hotloop as hl

A = """
float bend(float t) { return t > 0.008856452f ? cbrt(t) : t * 7.787037f + 0.13793103f; }
__kernel void lab(__global const float *rgb, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float r = rgb[i], g = rgb[n + i], b = rgb[2 * n + i];
    const float x = (0.4124564f * r + 0.3575761f * g + 0.1804375f * b) / 0.95047f;
    const float y = 0.2126729f * r + 0.7151522f * g + 0.0721750f * b;
    const float z = (0.0193339f * r + 0.1191920f * g + 0.9503041f * b) / 1.08883f;
    const float fx = bend(x), fy = bend(y), fz = bend(z);
    o[3 * i] = 116.0f * fy - 16.0f;
    o[3 * i + 1] = 500.0f * (fx - fy);
    o[3 * i + 2] = 200.0f * (fy - fz);
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=24 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=1025)],
    tolerance=hl.Tolerance(terms=lambda p: 8, absolute=2e-3),
    domain=dict(rgb="positive"),
)
class cielab:
    def inputs(p, rng):
        return dict(rgb=(rng.random((3, p.n)) ** 2).astype("f4"), o=hl.empty((p.n, 3)), n=p.n)

    def reference(p, rgb, o, n):
        m = np.array(
            [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
        )
        t = (m @ rgb.astype("f8")) / np.array([[0.95047], [1.0], [1.08883]])
        f = np.where(t > 0.008856452, np.cbrt(t), t * 7.787037 + 0.13793103)
        return dict(o=np.stack([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])], axis=1))

    a = hl.OpenCL(A, "lab", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "branch",
        "no straight piece near black",
        "t > 0.008856452f ? cbrt(t) : t * 7.787037f + 0.13793103f",
        "cbrt(t)",
    ),
    ("a", "constant", "the straight piece ends at 0.0088", "t > 0.008856452f", "t > 0.08856452f"),
    (
        "a",
        "layout",
        "planes are read as pixels",
        "rgb[i], g = rgb[n + i], b = rgb[2 * n + i]",
        "rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2]",
    ),
    ("a", "scalar", "blue is not divided by its white", "/ 1.08883f", "/ 1.0f"),
    ("a", "sign", "a is turned round", "(fx - fy)", "(fy - fx)"),
    ("a", "precision", "a root by half precision", "cbrt(t)", "half_powr(t, 0.333f)"),
]
