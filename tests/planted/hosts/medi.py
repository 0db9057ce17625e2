import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int r, const int c) {
    const int i = get_global_id(0); if (i >= r) return; __global const float *v = x + i * c;
    for (int j = 0; j < c; ++j) { int less = 0, same = 0; for (int q = 0; q < c; ++q) { less += v[q] < v[j]; same += v[q] == v[j]; } if (less <= c / 2 && c / 2 < less + same) { y[i] = v[j]; return; } }
}
"""


@hl.kernel(
    problem=dict(r=512, c=65),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=61, c=7), dict(r=100, c=33)],
)
class medi:
    def inputs(p, rng):
        return dict(x=rng.random((p.r, p.c), "f4"), y=hl.empty(p.r), r=np.int32(p.r), c=np.int32(p.c))

    def reference(p, x, y, r, c):
        return dict(y=np.sort(x, axis=1)[:, p.c // 2])

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r // 64) * 64,), local_size=lambda p, c: (64,))
