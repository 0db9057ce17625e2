"""A filter of second order along every channel."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *c, __global float *o, const int n, const int m) {
    const int r = get_global_id(0);
    if (r >= n) return;
    float u = 0.0f, v = 0.0f;
    for (int j = 0; j < m; ++j) {
        const float a = x[r * m + j], y = c[0] * a + u;
        u = c[1] * a - c[3] * y + v;
        v = c[2] * a - c[4] * y;
        o[r * m + j] = y;
    }
}
"""


@hl.kernel(
    problem=dict(n=70, m=200),
    work=lambda p: hl.Work(flops=9 * p.n * p.m, bytes=8 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=65, m=2), dict(n=3, m=33)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-5),
    domain=dict(c="range"),
)
class biquad:
    def inputs(p, rng):
        c = np.array([0.2, 0.4, 0.2, -0.5, 0.25], "f4") + rng.uniform(-0.05, 0.05, 5).astype("f4")
        return dict(
            x=rng.standard_normal((p.n, p.m), "f4"), c=c, o=hl.empty((p.n, p.m)), n=np.int32(p.n), m=np.int32(p.m)
        )

    def reference(p, x, c, o, n, m):
        w, f = x.astype("f8"), c.astype("f8")
        u, v, out = np.zeros(p.n), np.zeros(p.n), np.empty((p.n, p.m))
        for j in range(p.m):
            y = f[0] * w[:, j] + u
            u, v = f[1] * w[:, j] - f[3] * y + v, f[2] * w[:, j] - f[4] * y
            out[:, j] = y
        return dict(o=out)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "state", "the second state is forgotten", "- c[3] * y + v", "- c[3] * y"),
    (
        "plain",
        "order",
        "the new state is used",
        "u = c[1] * a - c[3] * y + v;\n        v = c[2] * a - c[4] * y;",
        "v = c[2] * a - c[4] * y;\n        u = c[1] * a - c[3] * y + v;",
    ),
    ("plain", "sign", "feedback with the other sign", "c[2] * a - c[4] * y", "c[2] * a + c[4] * y"),
    (
        "plain",
        "state",
        "channels begin where others ended",
        "float u = 0.0f",
        "float u = r > 0 ? 0.01f * x[r * m - 1] : 0.0f",
    ),
    ("plain", "coefficients", "the first for the third", "v = c[2] * a", "v = c[0] * a"),
    ("plain", "lost-tail", "the last sample is not written", "j < m;", "j < m - 1;"),
]
