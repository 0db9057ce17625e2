import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *c, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    float m[64], u[8], v[8]; for (int e = 0; e < 64; ++e) m[e] = exp(-c[i * 64 + e]); for (int e = 0; e < 8; ++e) v[e] = 1.0f;
    for (int s = 0; s < 40; ++s) { for (int a = 0; a < 8; ++a) { float t = 0; for (int b = 0; b < 8; ++b) t += m[a * 8 + b] * v[b]; u[a] = 0.125f / t; }
        for (int b = 0; b < 8; ++b) { float t = 0; for (int a = 0; a < 8; ++a) t += m[a * 8 + b] * u[a]; v[b] = 0.125f / t; } }
    for (int a = 0; a < 8; ++a) for (int b = 0; b < 8; ++b) y[i * 64 + a * 8 + b] = u[a] * m[a * 8 + b] * v[b];
}
"""


@hl.kernel(
    problem=dict(n=2048),
    work=lambda p: hl.Work(flops=0, bytes=512 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=257)],
    tolerance=hl.Tolerance(terms=lambda p: 64),
)
class sinkhorn:
    """Shares of eight and eight by their costs: rows and columns are made to add up alike, 40 times."""

    def inputs(p, rng):
        return dict(c=rng.uniform(0, 4, (p.n, 8, 8)).astype("f4"), y=hl.empty((p.n, 8, 8)), n=np.int32(p.n))

    def reference(p, c, y, n):
        m, v = np.exp(-c.astype("f8")), np.ones((p.n, 8))
        for _ in range(40):
            u = 0.125 / (m * v[:, None]).sum(axis=2)
            v = 0.125 / (m * u[:, :, None]).sum(axis=1)
        return dict(y=u[:, :, None] * m * v[:, None])

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
