import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int r) {
    const int i = get_global_id(0); if (i >= r) return;
    float s = 0; for (int a = 0; a < 256; ++a) { float t = 0; for (int b = 0; b < 256; ++b) t += fabs(x[i * 256 + a] - x[i * 256 + b]); s += t; }
    y[i] = s / 65536;
}
"""


@hl.kernel(
    problem=dict(r=128),
    work=lambda p: hl.Work(flops=0, bytes=1028 * p.r),
    awkward=lambda p: [dict(r=1), dict(r=61), dict(r=257)],
    tolerance=hl.Tolerance(terms=lambda p: 512),
)
class energy:
    """The mean distance of all pairs of a row's 256 numbers."""

    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.r, 256), "f4"), y=hl.empty(p.r), r=np.int32(p.r))

    def reference(p, x, y, r):
        s = np.sort(x.astype("f8"), axis=1)
        return dict(y=2 * (s * (2 * np.arange(256) - 255)).sum(axis=1) / 65536)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r // 16) * 16,), local_size=lambda p, c: (16,))
