import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *x, __global int *y, const int h, const int w) {
    const int i = get_global_id(0); if (i >= h * w) return; int best = 1 << 28; const int r = i / w, c = i % w;
    for (int u = 0; u < h; ++u) for (int v = 0; v < w; ++v) if (x[u * w + v]) best = min(best, (u - r) * (u - r) + (v - c) * (v - c));
    y[i] = best;
}
"""


@hl.kernel(
    problem=dict(h=48, w=64),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=7, w=13), dict(h=17, w=31)],
    domain=dict(h="at most 1000", w="at most 1000"),
)
class edt:
    def inputs(p, rng):
        x = (rng.random((p.h, p.w)) < 0.1).astype("u1")
        x[0, 0] = 1
        return dict(x=x, y=hl.empty((p.h, p.w), "i4"), h=np.int32(p.h), w=np.int32(p.w))

    def reference(p, x, y, h, w):
        r, c = np.nonzero(x)
        if not len(r):
            return dict(y=np.full((p.h, p.w), 1 << 28, "i4"))
        a, b = np.mgrid[: p.h, : p.w]
        best = np.full((p.h, p.w), 1 << 28)
        for u, v in zip(r, c):
            best = np.minimum(best, (a - u) ** 2 + (b - v) ** 2)
        return dict(y=best.astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.h * p.w // 64) * 64,), local_size=lambda p, c: (64,))
