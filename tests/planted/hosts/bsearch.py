import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *t, __global const float *q, __global int *y, const int n, const int m) {
    const int i = get_global_id(0); if (i >= m) return;
    const float v = q[i]; int lo = 0, hi = n;
    while (lo < hi) { const int mid = (lo + hi) / 2; if (t[mid] < v) lo = mid + 1; else hi = mid; }
    y[i] = lo;
}
"""


@hl.kernel(
    problem=dict(n=65536, m=65536),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n + 8 * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=100, m=61), dict(n=1000, m=1009)],
)
class bsearch:
    def inputs(p, rng):
        return dict(
            t=np.sort(rng.random(p.n, "f4")),
            q=rng.random(p.m, "f4"),
            y=hl.empty(p.m, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, t, q, y, n, m):
        return dict(y=np.searchsorted(t, q).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))
