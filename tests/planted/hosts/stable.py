import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *a, __global const uchar *b, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    int next[12], of[12]; for (int v = 0; v < 12; ++v) { next[v] = 0; of[v] = -1; }
    for (int s = 0; s < 12; ++s) for (int m = s; m >= 0;) { const int w = a[i * 144 + m * 12 + next[m]++], old = of[w];
        if (old < 0) { of[w] = m; m = -1; } else if (b[i * 144 + w * 12 + m] < b[i * 144 + w * 12 + old]) { of[w] = m; m = old; } }
    for (int w = 0; w < 12; ++w) y[i * 12 + w] = of[w];
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=0, bytes=336 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=257)],
)
class stable:
    """A stable matching of twelve and twelve: orders of the ones, ranks by the others."""

    def inputs(p, rng):
        orders = np.argsort(rng.random((p.n, 12, 12)), axis=2).astype("u1")
        ranks = np.argsort(rng.random((p.n, 12, 12)), axis=2).astype("u1")
        return dict(a=orders, b=ranks, y=hl.empty((p.n, 12), "i4"), n=np.int32(p.n))

    def reference(p, a, b, y, n):
        of = np.full((p.n, 12), -1, "i4")
        g, at = np.arange(p.n), np.zeros((p.n, 12), "i4")
        for s in range(12):
            m = np.full(p.n, s)
            live = g
            while live.size:
                w = a[live, m[live], at[live, m[live]]]
                at[live, m[live]] += 1
                old = of[live, w]
                better = (old < 0) | (b[live, w, m[live]] < b[live, w, old])
                of[live[better], w[better]] = m[live][better]
                m[live] = np.where(better, old, m[live])
                live = live[m[live] >= 0]
        return dict(y=of)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
