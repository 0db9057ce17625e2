import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const int *x, __global int *y, const int r, const int c) {
    const int i = get_global_id(0); if (i >= r) return; int s = 0;
    for (int j = 0; j < c; ++j) { s += x[i * c + j]; y[i * c + j] = s; }
}
"""


@hl.kernel(
    problem=dict(r=256, c=4096),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=3, c=61), dict(r=5, c=1009)],
)
class rscan:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 10, (p.r, p.c)).astype("i4"),
            y=hl.empty((p.r, p.c), "i4"),
            r=np.int32(p.r),
            c=np.int32(p.c),
        )

    def reference(p, x, y, r, c):
        return dict(y=np.cumsum(x, axis=1).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r // 64) * 64,), local_size=lambda p, c: (64,))
