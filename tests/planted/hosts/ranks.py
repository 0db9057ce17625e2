import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int r, const int c) {
    const int i = get_global_id(0); if (i >= r * c) return;
    __global const float *row = x + i / c * c; const float v = row[i % c]; int place = 0;
    for (int j = 0; j < c; ++j) place += row[j] < v || (row[j] == v && j < i % c);
    y[i / c * c + place] = v;
}
"""


@hl.kernel(
    problem=dict(r=64, c=256),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=3, c=61), dict(r=5, c=200)],
)
class ranks:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.r, p.c), "f4"), y=hl.empty((p.r, p.c)), r=np.int32(p.r), c=np.int32(p.c))

    def reference(p, x, y, r, c):
        return dict(y=np.sort(x, axis=1))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r * p.c // 64) * 64,), local_size=lambda p, c: (64,))
