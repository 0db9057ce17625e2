import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const int *c, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    __global const int *m = c + i * 36; int best[64]; best[0] = 0;
    for (int s = 1; s < 64; ++s) { const int r = popcount(s) - 1; int b = INT_MAX; for (int e = 0; e < 6; ++e) if (s >> e & 1) b = min(b, best[s & ~(1 << e)] + m[r * 6 + e]); best[s] = b; }
    y[i] = best[63];
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=0, bytes=148 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
)
class assign:
    """The least cost of giving six tasks to six."""

    def inputs(p, rng):
        return dict(c=rng.integers(0, 1000, (p.n, 6, 6), dtype="i4"), y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, c, y, n):
        best = {0: np.zeros(p.n, "i8")}
        for s in range(1, 64):
            r = s.bit_count() - 1
            best[s] = np.min([best[s & ~(1 << e)] + c[:, r, e] for e in range(6) if s >> e & 1], axis=0)
        return dict(y=best[63].astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
