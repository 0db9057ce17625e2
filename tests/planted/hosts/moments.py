import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int r, const int c) {
    const int i = get_group_id(0), l = get_local_id(0); __local float s[64]; float v = 0;
    for (int j = l; j < c; j += 64) v += x[(size_t)i * c + j];
    s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d; d /= 2) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
    const float m = s[0] / c; barrier(CLK_LOCAL_MEM_FENCE); v = 0;
    for (int j = l; j < c; j += 64) { const float d = x[(size_t)i * c + j] - m; v += d * d; }
    s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d; d /= 2) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (l == 0) { y[2 * i] = m; y[2 * i + 1] = sqrt(s[0] / c); }
}
"""


@hl.kernel(
    problem=dict(r=16, c=65536),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=3, c=61), dict(r=5, c=1009)],
    tolerance=hl.Tolerance(terms=lambda p: p.c, absolute=1e-4),
)
class moments:
    def inputs(p, rng):
        return dict(
            x=(3 + rng.standard_normal((p.r, p.c))).astype("f4"), y=hl.empty((p.r, 2)), r=np.int32(p.r), c=np.int32(p.c)
        )

    def reference(p, x, y, r, c):
        v = x.astype("f8")
        return dict(y=np.stack([v.mean(axis=1), v.std(axis=1)], axis=1))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (64 * p.r,), local_size=lambda p, c: (64,))
