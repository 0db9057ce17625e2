import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int r, const int c) {
    const int i = get_group_id(0), l = get_local_id(0); __local float s[64]; float v = 0;
    for (int j = l; j < c; j += 64) v += x[(size_t)i * c + j];
    s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d; d /= 2) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (l == 0) y[i] = s[0];
}
"""


@hl.kernel(
    problem=dict(r=8, c=131072),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=3, c=61), dict(r=5, c=1009)],
    tolerance=hl.Tolerance(terms=lambda p: p.c),
)
class sumpos:
    def inputs(p, rng):
        return dict(x=0.5 + rng.random((p.r, p.c), "f4"), y=hl.empty(p.r), r=np.int32(p.r), c=np.int32(p.c))

    def reference(p, x, y, r, c):
        return dict(y=x.sum(axis=1, dtype="f8"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (64 * p.r,), local_size=lambda p, c: (64,))
