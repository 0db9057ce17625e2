"""A step of two reacting substances that diffuse on a torus: nine-point Laplacian, u and v in two planes."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const float *u, __global const float *v, __global float *nu, __global float *nv, int h, int w, float f, float kill) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    int l = (x + w - 1) % w, r = (x + 1) % w, t = (y + h - 1) % h * w, b = (y + 1) % h * w, m = y * w;
    float cu = u[m + x], cv = v[m + x];
    float lu = 0.2f * (u[m + l] + u[m + r] + u[t + x] + u[b + x]) + 0.05f * (u[t + l] + u[t + r] + u[b + l] + u[b + r]) - cu;
    float lv = 0.2f * (v[m + l] + v[m + r] + v[t + x] + v[b + x]) + 0.05f * (v[t + l] + v[t + r] + v[b + l] + v[b + r]) - cv;
    float q = cu * cv * cv;
    nu[m + x] = cu + 0.16f * lu - q + f * (1 - cu);
    nv[m + x] = cv + 0.08f * lv + q - (f + kill) * cv;
}
"""
B = """
__kernel void k(__global const float *u, __global const float *v, __global float *nu, __global float *nv, int h, int w, float f, float kill) {
    __local float2 s[10][10];
    int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * 8, y0 = get_group_id(1) * 8;
    for (int p = ly * 8 + lx; p < 100; p += 64) {
        int px = (x0 + p % 10 - 1 + w) % w, py = (y0 + p / 10 - 1 + h) % h;
        s[p / 10][p % 10] = (float2)(u[py * w + px], v[py * w + px]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = x0 + lx, y = y0 + ly;
    if (x >= w || y >= h) return;
    float2 lap = 0, c = s[ly + 1][lx + 1];
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) lap += (i == 1 && j == 1 ? -1.0f : i == 1 || j == 1 ? 0.2f : 0.05f) * s[ly + j][lx + i];
    float q = c.x * c.y * c.y;
    nu[y * w + x] = c.x + 0.16f * lap.x - q + f * (1 - c.x);
    nv[y * w + x] = c.y + 0.08f * lap.y + q - (f + kill) * c.y;
}
"""


@hl.kernel(
    problem=dict(h=48, w=64),
    work=lambda p: hl.Work(flops=40 * p.h * p.w, bytes=16 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=3, w=9), dict(h=17, w=33)],
    tolerance=hl.Tolerance(terms=20, absolute=1e-5),
)
class grayscott:
    def inputs(p, rng):
        return dict(
            u=rng.random((p.h, p.w), dtype="f4"),
            v=rng.random((p.h, p.w), dtype="f4"),
            nu=hl.empty((p.h, p.w)),
            nv=hl.empty((p.h, p.w)),
            h=p.h,
            w=p.w,
            f=0.037,
            kill=0.06,
        )

    def reference(p, u, v, nu, nv, h, w, f, kill):
        u, v = u.astype("f8"), v.astype("f8")

        def lap(a):
            s = lambda y, x: np.roll(a, (y, x), (0, 1))
            return (
                0.2 * (s(0, 1) + s(0, -1) + s(1, 0) + s(-1, 0)) + 0.05 * (s(1, 1) + s(1, -1) + s(-1, 1) + s(-1, -1)) - a
            )

        q = u * v * v
        return dict(nu=u + 0.16 * lap(u) - q + f * (1 - u), nv=v + 0.08 * lap(v) + q - (f + kill) * v)

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.w, p.h))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (-(-p.w // 8) * 8, -(-p.h // 8) * 8), local_size=lambda p, c: (8, 8))


MUTANTS = [
    ("a", "edge", "left edge held", "(x + w - 1) % w", "max(x - 1, 0)"),
    ("a", "edge", "bottom wraps by width", "(y + 1) % h * w", "(y + 1) % w * w"),
    ("a", "scalar", "kill is a constant", "(f + kill)", "(f + 0.06f)"),
    ("a", "weight", "a corner twice", "u[b + l] + u[b + r]", "u[b + l] + u[b + l]"),
    ("b", "barrier", "no barrier", "barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("b", "halo", "the last of the halo is not filled", "p < 100", "p < 99"),
    ("b", "swap", "v's rate for u", "c.y + 0.08f * lap.y", "c.y + 0.16f * lap.y"),
    (
        "b",
        "edge",
        "the halo wraps once only",
        "(x0 + p % 10 - 1 + w) % w",
        "(x0 + p % 10 - 1 < 0 ? w - 1 : x0 + p % 10 - 1 == w ? 0 : min(x0 + p % 10 - 1, w - 1))",
    ),
]
