import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const int *g, __global const float *x, __global float *y, const int n, const int m) {
    const int s = get_global_id(0); if (s >= m) return;
    int lo = 0, hi = n; while (lo < hi) { const int mid = (lo + hi) / 2; if (g[mid] < s) lo = mid + 1; else hi = mid; }
    float v = 0; for (int j = lo; j < n && g[j] == s; ++j) v += sqrt(1.0f + x[j] * x[j]);
    y[s] = v;
}
"""


@hl.kernel(
    problem=dict(n=262144, m=8192),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=61, m=7), dict(n=1009, m=100)],
    tolerance=hl.Tolerance(terms=lambda p: 64 + 2 * p.n // p.m),
)
class segsum:
    def inputs(p, rng):
        return dict(
            g=np.sort(rng.integers(0, p.m, p.n)).astype("i4"),
            x=rng.standard_normal(p.n, "f4"),
            y=hl.empty(p.m),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, g, x, y, n, m):
        return dict(y=np.bincount(g, np.sqrt(1 + x.astype("f8") ** 2), minlength=p.m))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))
