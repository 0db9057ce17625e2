import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global float *y, const int r, const int c) {
    const int i = get_global_id(0); if (i >= r) return; __global float *v = y + i * c;
    for (int a = 1; a < c; ++a) { const float t = v[a]; int b = a; while (b > 0 && v[b - 1] > t) { v[b] = v[b - 1]; --b; } v[b] = t; }
}
"""


@hl.kernel(
    problem=dict(r=512, c=96),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=3, c=61), dict(r=5, c=33)],
)
class isort:
    def inputs(p, rng):
        return dict(y=rng.standard_normal((p.r, p.c), "f4"), r=np.int32(p.r), c=np.int32(p.c))

    def reference(p, y, r, c):
        return dict(y=np.sort(y, axis=1))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r // 64) * 64,), local_size=lambda p, c: (64,))
