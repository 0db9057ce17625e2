"""Images seen through a plane's perspective: nearest source pixel, zero outside and behind the eye."""

import numpy as np

import hotloop as hl

WARP = """
__kernel void k(__global const float *img, __global const float *m, __global float *o, const int h, const int w, const int oh, const int ow) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= ow || y >= oh) return;
    const float z = m[6] * x + m[7] * y + m[8];
    float v = 0.0f;
    if (z > 0.0f) {
        const float u = floor((m[0] * x + m[1] * y + m[2]) / z + 0.5f), t = floor((m[3] * x + m[4] * y + m[5]) / z + 0.5f);
        if (u >= 0.0f && u < w && t >= 0.0f && t < h) v = img[(int)t * w + (int)u];
    }
    o[y * ow + x] = v;
}
"""


@hl.kernel(
    problem=dict(h=50, w=70, oh=40, ow=60),
    work=lambda p: hl.Work(flops=16 * p.oh * p.ow, bytes=8 * p.oh * p.ow),
    awkward=lambda p: [dict(h=1, w=1, oh=1, ow=1), dict(h=9, w=33, oh=17, ow=5), dict(h=20, w=10, oh=33, ow=65)],
)
class homography:
    def inputs(p, rng):
        m = np.array([4, 1, -3, -1, 3, 8, 0, 0, 4]) + rng.integers(-1, 2, 9) * np.array([1, 1, 2, 1, 1, 2, 0, 0, 0])
        m[6:8] = rng.choice([-1, 0, 1], 2)
        m[8] = 8
        return dict(
            img=rng.standard_normal((p.h, p.w)).astype("f4"),
            m=m.astype("f4"),
            o=hl.empty((p.oh, p.ow)),
            h=np.int32(p.h),
            w=np.int32(p.w),
            oh=np.int32(p.oh),
            ow=np.int32(p.ow),
        )

    def reference(p, img, m, o, h, w, oh, ow):
        y, x = np.mgrid[0 : p.oh, 0 : p.ow].astype("f8")
        g = m.astype("f8")
        z = g[6] * x + g[7] * y + g[8]
        safe = np.where(z > 0, z, 1)
        u = np.floor((g[0] * x + g[1] * y + g[2]) / safe + 0.5)
        t = np.floor((g[3] * x + g[4] * y + g[5]) / safe + 0.5)
        good = (z > 0) & (u >= 0) & (u < p.w) & (t >= 0) & (t < p.h)
        return dict(
            o=np.where(good, img[np.where(good, t, 0).astype(int), np.where(good, u, 0).astype(int)], 0).astype("f4")
        )

    warp = hl.OpenCL(WARP, "k", global_size=lambda p, c: (p.ow, p.oh))


MUTANTS = [
    ("warp", "behind", "what is behind the eye is seen", "if (z > 0.0f)", "if (z != 0.0f)"),
    ("warp", "edge", "the first column is black", "u >= 0.0f", "u > 0.0f"),
    (
        "warp",
        "rounding",
        "towards zero",
        "u = floor((m[0] * x + m[1] * y + m[2]) / z + 0.5f)",
        "u = trunc((m[0] * x + m[1] * y + m[2]) / z + 0.5f)",
    ),
    ("warp", "stale", "nothing is stored outside", "o[y * ow + x] = v;", "if (z > 0.0f) o[y * ow + x] = v;"),
    ("warp", "matrix", "turned round", "m[3] * x + m[4] * y", "m[1] * x + m[4] * y"),
]
