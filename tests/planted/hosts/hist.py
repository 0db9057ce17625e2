import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *x, __global int *y, const int n, const int per) {
    const int g = get_group_id(0), l = get_local_id(0); __local int h[256];
    for (int b = l; b < 256; b += 64) h[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = g * per + l; j < min(n, (g + 1) * per); j += 64) atomic_inc(&h[x[j]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = l; b < 256; b += 64) y[g * 256 + b] = h[b];
}
"""


@hl.kernel(
    problem=dict(n=262144),
    work=lambda p: hl.Work(flops=0, bytes=p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=5000)],
)
class hist:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, p.n).astype("u1"),
            y=hl.empty((-(-p.n // 4096), 256), "i4"),
            n=np.int32(p.n),
            per=np.int32(4096),
        )

    def reference(p, x, y, n, per):
        return dict(y=np.stack([np.bincount(x[a : a + 4096], minlength=256) for a in range(0, p.n, 4096)]).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (64 * -(-p.n // 4096),), local_size=lambda p, c: (64,))
