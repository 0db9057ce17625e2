import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const ushort *a, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    ushort m[12]; for (int v = 0; v < 12; ++v) m[v] = a[i * 12 + v]; int best = 0;
    for (int s = 1; s < 4096; ++s) { int ok = 1; for (int v = 0; v < 12; ++v) ok &= !(s >> v & 1) || ((m[v] | 1 << v) & s) == s; if (ok) best = max(best, (int)popcount(s)); }
    y[i] = best;
}
"""


@hl.kernel(
    problem=dict(n=128),
    work=lambda p: hl.Work(flops=0, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=97)],
)
class clique:
    """The most of twelve who all know one another, by bits."""

    def inputs(p, rng):
        bits = rng.random((p.n, 12, 12)) < 0.6
        bits = np.triu(bits, 1)
        bits |= bits.transpose(0, 2, 1)
        return dict(a=(bits * 2 ** np.arange(12)).sum(axis=2).astype("u2"), y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, a, y, n):
        s = np.arange(4096)
        ok = np.ones((p.n, 4096), bool)
        for v in range(12):
            ok &= (s >> v & 1 == 0) | ((a[:, v : v + 1] | 1 << v) & s == s)
        return dict(y=np.where(ok, np.bitwise_count(s), 0).max(axis=1).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 16) * 16,), local_size=lambda p, c: (16,))
