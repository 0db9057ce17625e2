import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int r, const int c) {
    const int i = get_group_id(0), l = get_local_id(0); __local float s[64]; float v = -INFINITY; x += i * c; y += i * c;
    for (int j = l; j < c; j += 64) v = fmax(v, x[j]);
    s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d; d /= 2) { if (l < d) s[l] = fmax(s[l], s[l + d]); barrier(CLK_LOCAL_MEM_FENCE); }
    const float m = s[0]; barrier(CLK_LOCAL_MEM_FENCE); v = 0;
    for (int j = l; j < c; j += 64) v += exp(x[j] - m);
    s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d; d /= 2) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
    for (int j = l; j < c; j += 64) y[j] = exp(x[j] - m) / s[0];
}
"""


@hl.kernel(
    problem=dict(r=256, c=2048),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=3, c=61), dict(r=5, c=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-6),
)
class smax:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.r, p.c), "f4"), y=hl.empty((p.r, p.c)), r=np.int32(p.r), c=np.int32(p.c))

    def reference(p, x, y, r, c):
        v = x.astype("f8")
        e = np.exp(v - v.max(axis=1, keepdims=True))
        return dict(y=e / e.sum(axis=1, keepdims=True))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (64 * p.r,), local_size=lambda p, c: (64,))
