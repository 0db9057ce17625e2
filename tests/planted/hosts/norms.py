import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int r, const int c) {
    const int i = get_global_id(0); if (i >= r) return; float s = 0;
    for (int j = 0; j < c; ++j) s += x[i * c + j] * x[i * c + j];
    const float f = 1.0f / sqrt(s / c + 1e-6f);
    for (int j = 0; j < c; ++j) y[i * c + j] = x[i * c + j] * f;
}
"""


@hl.kernel(
    problem=dict(r=256, c=1024),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=3, c=61), dict(r=5, c=257)],
    tolerance=hl.Tolerance(terms=lambda p: p.c),
)
class norms:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.r, p.c), "f4"), y=hl.empty((p.r, p.c)), r=np.int32(p.r), c=np.int32(p.c))

    def reference(p, x, y, r, c):
        v = x.astype("f8")
        return dict(y=v / np.sqrt((v * v).mean(axis=1, keepdims=True) + 1e-6))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r // 64) * 64,), local_size=lambda p, c: (64,))
