"""Colours by a cube of colours with linear interpolation between its eight nearest."""

import numpy as np

import hotloop as hl

EIGHT = """
__kernel void k(__global const float *rgb, __global const float *cube, __global float *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float f[3];
    int b[3];
    for (int c = 0; c < 3; ++c) {
        const float v = clamp(rgb[3 * i + c], 0.0f, 1.0f) * (m - 1);
        b[c] = min((int)v, m - 2);
        f[c] = v - b[c];
    }
    for (int c = 0; c < 3; ++c) {
        float sum = 0.0f;
        for (int q = 0; q < 8; ++q) {
            const int r = q & 1, g = q >> 1 & 1, u = q >> 2;
            const float w = (r ? f[0] : 1 - f[0]) * (g ? f[1] : 1 - f[1]) * (u ? f[2] : 1 - f[2]);
            sum += w * cube[3 * (((b[2] + u) * m + b[1] + g) * m + b[0] + r) + c];
        }
        o[3 * i + c] = sum;
    }
}
"""


@hl.kernel(
    problem=dict(n=5000, m=9),
    work=lambda p: hl.Work(flops=60 * p.n, bytes=24 * p.n),
    awkward=lambda p: [dict(n=1, m=2), dict(n=65, m=5), dict(n=300, m=17)],
    tolerance=hl.Tolerance(terms=lambda p: 32, absolute=1e-5),
)
class lut3:
    def inputs(p, rng):
        rgb = (1.2 * rng.random((p.n, 3)) - 0.1).astype("f4")
        cube = rng.random((p.m, p.m, p.m, 3)).astype("f4")
        return dict(rgb=rgb, cube=cube, o=hl.empty((p.n, 3)), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, rgb, cube, o, n, m):
        v = np.clip(rgb.astype("f8"), 0, 1) * (p.m - 1)
        b = np.minimum(v.astype("i8"), p.m - 2)
        f = v - b
        out = 0
        for q in range(8):
            s = np.array([q & 1, q >> 1 & 1, q >> 2])
            w = np.prod(np.where(s, f, 1 - f), axis=1)
            out = out + w[:, None] * cube[b[:, 2] + s[2], b[:, 1] + s[1], b[:, 0] + s[0]].astype("f8")
        return dict(o=out)

    eight = hl.OpenCL(EIGHT, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("eight", "edge", "the last cell is not reached", "min((int)v, m - 2)", "min((int)v, m - 3 > 0 ? m - 3 : 0)"),
    (
        "eight",
        "axes",
        "green and red exchanged",
        "(b[2] + u) * m + b[1] + g) * m + b[0] + r",
        "(b[2] + u) * m + b[0] + r) * m + b[1] + g",
    ),
    (
        "eight",
        "clamp",
        "values below zero extrapolate",
        "clamp(rgb[3 * i + c], 0.0f, 1.0f)",
        "fmin(rgb[3 * i + c], 1.0f)",
    ),
    ("eight", "weight", "the third weight is the second", "(u ? f[2] : 1 - f[2])", "(u ? f[1] : 1 - f[1])"),
    (
        "eight",
        "scale",
        "scaled by m",
        "* (m - 1);\n        b[c] = min((int)v, m - 2);",
        "* m * 0.999f;\n        b[c] = min((int)v, m - 2);",
    ),
]
