import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *x, __global int *y, const int n) {
    const int g = get_group_id(0), l = get_local_id(0); __local int h[16];
    if (l < 16) h[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = g * 1024 + l; j < min(n, (g + 1) * 1024); j += 64) atomic_inc(&h[x[j] >> 4]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) atomic_add(&y[l], h[l]);
}
"""


@hl.kernel(
    problem=dict(n=262144),
    work=lambda p: hl.Work(flops=0, bytes=p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=5000)],
)
class bins:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 256, p.n).astype("u1"), y=rng.integers(0, 100, 16).astype("i4"), n=np.int32(p.n))

    def reference(p, x, y, n):
        return dict(y=(y + np.bincount(x >> 4, minlength=16)).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (64 * -(-p.n // 1024),), local_size=lambda p, c: (64,))
