import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *a, __global uint *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    uint m[32]; for (int v = 0; v < 32; ++v) m[v] = a[i * 32 + v] | 1u << v;
    for (int k = 0; k < 32; ++k) for (int v = 0; v < 32; ++v) if (m[v] >> k & 1) m[v] |= m[k];
    for (int v = 0; v < 32; ++v) y[i * 32 + v] = m[v];
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=0, bytes=256 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
)
class reach:
    """Which of 32 places can be reached from which, as bits."""

    def inputs(p, rng):
        a = np.zeros((p.n, 32), "u4")
        for _ in range(2):
            a |= np.uint32(1) << rng.integers(0, 32, (p.n, 32), dtype="u4")
        return dict(a=a, y=hl.empty((p.n, 32), "u4"), n=np.int32(p.n))

    def reference(p, a, y, n):
        m = a | (np.uint32(1) << np.arange(32, dtype="u4"))
        for k in range(32):
            m = np.where((m >> np.uint32(k)) & np.uint32(1), m | m[:, k : k + 1], m)
        return dict(y=m.astype("u4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
