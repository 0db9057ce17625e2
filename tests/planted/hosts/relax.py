import numpy as np

import hotloop as hl

SOURCE = """float f(float x) { float v = x; for (int s = 0; s < 400; ++s) v += 0.0025f * (1.0f - v * v * v); return 1.0f + v; }

__kernel void k(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; y[i] = f(x[i]);
}
"""


@hl.kernel(
    problem=dict(n=8192),
    work=lambda p: hl.Work(flops=1600 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
    tolerance=hl.Tolerance(terms=lambda p: 64),
)
class relax:
    def inputs(p, rng):
        return dict(x=2 * rng.random(p.n, "f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        v = x.astype("f8")
        for _ in range(400):
            v = v + 0.0025 * (1 - v * v * v)
        return dict(y=1 + v)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
