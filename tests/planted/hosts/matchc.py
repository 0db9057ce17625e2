import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *t, __global const uchar *w, __global int *y, const int n, const int m) {
    const int i = get_global_id(0); if (i >= n - 7) { if (i < n) y[i] = -1; return; } int at = -1;
    for (int j = 0; j < m && at < 0; ++j) { int e = 0; while (e < 8 && t[i + e] == w[8 * j + e]) ++e; if (e == 8) at = j; }
    y[i] = at;
}
"""


@hl.kernel(
    problem=dict(n=65536, m=64),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.n),
    awkward=lambda p: [dict(n=9, m=1), dict(n=61, m=7), dict(n=1009, m=13)],
)
class matchc:
    def inputs(p, rng):
        w = rng.integers(0, 256, (p.m, 8)).astype("u1")
        t = rng.integers(0, 256, p.n).astype("u1")
        for at in range(0, p.n - 8, 97):
            t[at : at + 8] = w[rng.integers(p.m)]
        return dict(t=t, w=w, y=hl.empty(p.n, "i4"), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, t, w, y, n, m):
        y = np.full(p.n, -1, "i4")
        win = np.lib.stride_tricks.sliding_window_view(t, 8)
        for j in range(p.m - 1, -1, -1):
            y[: p.n - 7][(win == w[j]).all(axis=1)] = j
        return dict(y=y)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
