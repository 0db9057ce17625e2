import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global int *y, const int r, const int c) {
    const int i = get_global_id(0); if (i >= r) return; int at = 0; float top = x[i * c];
    for (int j = 1; j < c; ++j) if (x[i * c + j] > top) { top = x[i * c + j]; at = j; }
    y[i] = at;
}
"""


@hl.kernel(
    problem=dict(r=4096, c=128),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=61, c=7), dict(r=100, c=33)],
)
class best:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.r, p.c), "f4"), y=hl.empty(p.r, "i4"), r=np.int32(p.r), c=np.int32(p.c))

    def reference(p, x, y, r, c):
        return dict(y=np.argmax(x, axis=1).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r // 64) * 64,), local_size=lambda p, c: (64,))
