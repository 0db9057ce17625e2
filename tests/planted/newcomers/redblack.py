"""A half-step of red-black relaxation: the inner points of one colour become the mean of their neighbours and the source, in place."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global float *u, __global const float *f, const int h, const int w, const int colour, const float omega) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1 || (x + y) % 2 != colour) return;
    const int i = y * w + x;
    const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] + f[i]);
    u[i] += omega * (mean - u[i]);
}
"""
HALF = """
__kernel void k(__global float *u, __global const float *f, const int h, const int w, const int colour, const float omega) {
    const int y = get_global_id(1) + 1, x = 2 * get_global_id(0) + 1 + (y + 1 + colour) % 2;
    if (x >= w - 1 || y >= h - 1) return;
    __global float *p = u + y * w + x;
    *p = mix(*p, 0.25f * (p[-1] + p[1] + p[-w] + p[w] + f[y * w + x]), omega);
}
"""


@hl.kernel(
    problem=dict(h=90, w=120),
    work=lambda p: hl.Work(flops=4 * p.h * p.w, bytes=12 * p.h * p.w),
    awkward=lambda p: [dict(h=3, w=3), dict(h=4, w=7), dict(h=33, w=65), dict(h=2, w=5)],
    tolerance=hl.Tolerance(terms=lambda p: 12, absolute=1e-6),
    domain=dict(omega="range", colour="range"),
)
class redblack:
    def inputs(p, rng):
        return dict(
            u=rng.standard_normal((p.h, p.w), "f4"),
            f=rng.standard_normal((p.h, p.w), "f4"),
            h=np.int32(p.h),
            w=np.int32(p.w),
            colour=np.int32(rng.integers(0, 2)),
            omega=np.float32(1 + 0.9 * rng.random()),
        )

    def reference(p, u, f, h, w, colour, omega):
        v, g, o = u.astype("f8"), f.astype("f8"), float(omega)
        mean = 0.25 * (v[1:-1, :-2] + v[1:-1, 2:] + v[:-2, 1:-1] + v[2:, 1:-1] + g[1:-1, 1:-1])
        y, x = np.mgrid[1 : p.h - 1, 1 : p.w - 1]
        out = v.copy()
        out[1:-1, 1:-1] = np.where((x + y) % 2 == colour, v[1:-1, 1:-1] + o * (mean - v[1:-1, 1:-1]), v[1:-1, 1:-1])
        return dict(u=out)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))
    half = hl.OpenCL(HALF, "k", global_size=lambda p, c: (-(-p.w // 2), p.h))


MUTANTS = [
    ("plain", "race", "both colours at once", " || (x + y) % 2 != colour", ""),
    ("plain", "scalar", "always the red ones", "(x + y) % 2 != colour", "(x + y) % 2 != 0"),
    ("plain", "scalar", "omega is one", "u[i] += omega * (mean - u[i]);", "u[i] = mean;"),
    ("plain", "bounds", "the last inner column is left", "x >= w - 1", "x >= w - 2"),
    ("half", "index", "the colour of even rows is the other", "(y + 1 + colour) % 2", "(1 + colour) % 2"),
    ("half", "bounds", "the right border is relaxed, too", "if (x >= w - 1 ||", "if (x >= w ||"),
]
