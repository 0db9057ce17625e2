import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *x, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; int j = 0; while (x[j] != x[i]) ++j; y[i] = j;
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
)
class first:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 4 * p.n, p.n).astype("u4"), y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, x, y, n):
        _, f, r = np.unique(x, return_index=True, return_inverse=True)
        return dict(y=f[r].astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
