import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *b, __global const uint *e, __global const uint *m, __global uint *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    const ulong q = m[i]; ulong r = 1 % q, v = b[i] % q; uint t = e[i];
    for (int s = 0; s < 32; ++s) { if (t & 1) r = r * v % q; v = v * v % q; t >>= 1; }
    y[i] = (uint)r;
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
)
class modpow:
    """Powers modulo a number, all of 32 bits."""

    def inputs(p, rng):
        return dict(
            b=rng.integers(0, 2**32, p.n, dtype="u4"),
            e=rng.integers(0, 2**32, p.n, dtype="u4"),
            m=rng.integers(1, 2**32, p.n, dtype="u4"),
            y=hl.empty(p.n, "u4"),
            n=np.int32(p.n),
        )

    def reference(p, b, e, m, y, n):
        q = m.astype("u8")
        r, v, t = np.ones(p.n, "u8") % q, b.astype("u8") % q, e.copy()
        for _ in range(32):
            r = np.where(t & 1, r * v % q, r)
            v, t = v * v % q, t >> np.uint32(1)
        return dict(y=r.astype("u4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
