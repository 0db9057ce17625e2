import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *w, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    __global const float *m = w + i * 256; float d[16];
    for (int v = 0; v < 16; ++v) d[v] = v ? INFINITY : 0.0f;
    for (int r = 0; r < 15; ++r) for (int v = 0; v < 16; ++v) { float b = d[v]; for (int u = 0; u < 16; ++u) b = fmin(b, d[u] + m[u * 16 + v]); d[v] = b; }
    for (int v = 0; v < 16; ++v) y[i * 16 + v] = d[v];
}
"""


@hl.kernel(
    problem=dict(n=2048),
    work=lambda p: hl.Work(flops=0, bytes=1088 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 16),
)
class bellford:
    """Shortest distances from the first of 16 places."""

    def inputs(p, rng):
        return dict(w=rng.uniform(0.1, 10, (p.n, 16, 16)).astype("f4"), y=hl.empty((p.n, 16)), n=np.int32(p.n))

    def reference(p, w, y, n):
        d = np.full((p.n, 16), np.inf)
        d[:, 0] = 0
        for _ in range(16):
            d = np.minimum(d, (d[:, :, None] + w.astype("f8")).min(axis=1))
        return dict(y=d)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
