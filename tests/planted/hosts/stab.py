import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *lo, __global const float *hi, __global const float *q, __global int *y, const int n, const int m) {
    const int i = get_global_id(0); if (i >= m) return; int s = 0;
    for (int j = 0; j < n; ++j) s += lo[j] <= q[i] && q[i] <= hi[j];
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=1024, m=8192),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n + 8 * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=61, m=7), dict(n=100, m=1000)],
)
class stab:
    def inputs(p, rng):
        lo = np.sort(rng.random(p.n, "f4"))
        return dict(
            lo=lo,
            hi=lo + 0.05 * rng.random(p.n, "f4"),
            q=rng.random(p.m, "f4"),
            y=hl.empty(p.m, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, lo, hi, q, y, n, m):
        return dict(y=((lo[:, None] <= q) & (q <= hi[:, None])).sum(axis=0).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))
