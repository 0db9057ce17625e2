import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *a, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    uint f[32]; for (int r = 0; r < 32; ++r) f[r] = r ? 0 : a[i * 32];
    for (bool moved = true; moved;) { moved = false;
        for (int r = 0; r < 32; ++r) { const uint o = a[i * 32 + r]; uint g = f[r] | (r ? f[r - 1] : 0) | (r < 31 ? f[r + 1] : 0); g |= g << 1 | g >> 1; g &= o; moved |= g != f[r]; f[r] = g; } }
    int s = 0; for (int r = 0; r < 32; ++r) s += popcount(f[r]);
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=2048),
    work=lambda p: hl.Work(flops=0, bytes=132 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
)
class flood:
    """Cells of a 32 x 32 map that water from above reaches (also through corners)."""

    def inputs(p, rng):
        bits = rng.random((p.n, 32, 32)) < 0.6
        a = (bits.astype("u8") << np.arange(32, dtype="u8")).sum(axis=2).astype("u4")
        return dict(a=a, y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, a, y, n):
        f = np.zeros_like(a)
        f[:, 0] = a[:, 0]
        while True:
            g = f.copy()
            for r in range(32):
                h = g[:, r] | (g[:, r - 1] if r else 0) | (g[:, r + 1] if r < 31 else 0)
                g[:, r] = (h | h << np.uint32(1) | h >> np.uint32(1)) & a[:, r]
            if (g == f).all():
                break
            f = g
        return dict(y=np.unpackbits(f.view("u1").reshape(p.n, -1), axis=1).sum(axis=1).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
