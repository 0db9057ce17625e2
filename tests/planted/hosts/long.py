import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; float v = x[i]; for (int s = 0; s < 100000; ++s) v += 0.00001f * (1.0f - v * v * v); y[i] = v;
}
"""


@hl.kernel(
    problem=dict(n=16384),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=100)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=2e-3),
)
class long:
    def inputs(p, rng):
        return dict(x=2 * rng.random(p.n, "f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        v = x.astype("f8")
        for _ in range(5000):
            v = v + 0.0002 * (1 - v * v * v)
        return dict(y=v)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
