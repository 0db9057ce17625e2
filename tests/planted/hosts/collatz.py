import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *x, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; ulong v = x[i]; int s = 0;
    while (v > 1) { v = v & 1 ? 3 * v + 1 : v / 2; ++s; }
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=32768),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
)
class collatz:
    def inputs(p, rng):
        return dict(x=rng.integers(1, 1000000, p.n).astype("u4"), y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, x, y, n):
        v = x.astype("u8")
        s = np.zeros(p.n, "i4")
        while (v > 1).any():
            m = v > 1
            s += m
            v = np.where(m, np.where(v & 1, 3 * v + 1, v // 2), v)
        return dict(y=s)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
