import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int n) {
    const int l = get_local_id(0); __local float s[256]; float v = 0;
    for (int j = l; j < n; j += 256) v += sqrt(x[j]);
    s[l] = v; barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 128; d; d /= 2) { if (l < d) s[l] += s[l + d]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (l == 0) y[0] = s[0];
}
"""


@hl.kernel(
    problem=dict(n=1000000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: p.n),
)
class dtot:
    def inputs(p, rng):
        return dict(x=1 + 9 * rng.random(p.n, "f4"), y=hl.empty(1), n=np.int32(p.n))

    def reference(p, x, y, n):
        return dict(y=np.sqrt(x.astype("f8")).sum()[None])

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (256,), local_size=lambda p, c: (256,))
