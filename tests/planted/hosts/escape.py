import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *a, __global const float *b, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; const double u = a[i], v = b[i]; double p = 0, q = 0; int s = 0;
    while (s < 500 && p * p + q * q <= 4.0) { const double t = p * p - q * q + u; q = 2 * p * q + v; p = t; ++s; }
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=8192),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
)
class escape:
    def inputs(p, rng):
        return dict(
            a=(-2 + 3 * rng.random(p.n)).astype("f4"),
            b=(-1.5 + 3 * rng.random(p.n)).astype("f4"),
            y=hl.empty(p.n, "i4"),
            n=np.int32(p.n),
        )

    def reference(p, a, b, y, n):
        u, v = a.astype("f8"), b.astype("f8")
        x = np.zeros(p.n)
        z = np.zeros(p.n)
        s = np.zeros(p.n, "i4")
        live = np.ones(p.n, bool)
        for _ in range(500):
            live = live & (x * x + z * z <= 4.0)
            if not live.any():
                break
            t = x * x - z * z + u
            z = np.where(live, 2 * x * z + v, z)
            x = np.where(live, t, x)
            s += live
        return dict(y=s)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
