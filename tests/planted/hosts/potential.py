import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global const float *z, __global const float *q, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; float s = 0;
    for (int j = 0; j < n; ++j) { const float u = x[i] - x[j], v = z[i] - z[j]; s += q[j] * exp(-8.0f * (u * u + v * v)); }
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=2048),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=500)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-4),
)
class potential:
    def inputs(p, rng):
        return dict(
            x=(8 * rng.random(p.n)).astype("f4"),
            z=(8 * rng.random(p.n)).astype("f4"),
            q=rng.random(p.n, "f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
        )

    def reference(p, x, z, q, y, n):
        u, v, c = x.astype("f8"), z.astype("f8"), q.astype("f8")
        return dict(y=(c[None] * np.exp(-8 * ((u[:, None] - u) ** 2 + (v[:, None] - v) ** 2))).sum(axis=1))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
