import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *a, __global const float *b, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    float s = 0; for (int j = 0; j <= 64; ++j) { const float x = j / 64.0f, f = exp(-a[i] * x) * cos(b[i] * x); s += (j == 0 || j == 64 ? 1.0f : j % 2 ? 4.0f : 2.0f) * f; }
    y[i] = s / 192;
}
"""


@hl.kernel(
    problem=dict(n=8192),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-5),
)
class simps:
    """Integrals of damped waves from 0 to 1, by Simpson's rule with 64 intervals."""

    def inputs(p, rng):
        return dict(
            a=rng.uniform(0, 5, p.n).astype("f4"),
            b=rng.uniform(0, 12, p.n).astype("f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
        )

    def reference(p, a, b, y, n):
        x = np.arange(65) / 64
        w = np.where(np.arange(65) % 2, 4.0, 2.0)
        w[[0, -1]] = 1
        f = np.exp(-a.astype("f8")[:, None] * x) * np.cos(b.astype("f8")[:, None] * x)
        return dict(y=(f * w).sum(axis=1) / 192)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
