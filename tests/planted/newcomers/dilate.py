"""Grey dilation minus erosion (the morphological gradient) over a flat square; pixels outside do not count."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *f, __global uchar *g, const int h, const int w, const int r) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    int top = 0, low = 255;
    for (int v = max(y - r, 0); v <= min(y + r, h - 1); ++v)
        for (int u = max(x - r, 0); u <= min(x + r, w - 1); ++u) {
            top = max(top, (int)f[v * w + u]);
            low = min(low, (int)f[v * w + u]);
        }
    g[y * w + x] = top - low;
}
"""
ROWS = """
#define W 64
#define R 8
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global const uchar *f, __global uchar *g, const int h, const int w, const int r) {
    __local uchar top[W + 2 * R], low[W + 2 * R];
    const int l = get_local_id(0), x0 = get_group_id(0) * W, y = get_group_id(1);
    for (int q = l; q < W + 2 * r; q += W) {
        const int u = x0 + q - r;
        uchar a = 0, b = 255;
        if (u >= 0 && u < w)
            for (int v = max(y - r, 0); v <= min(y + r, h - 1); ++v) { a = max(a, f[v * w + u]); b = min(b, f[v * w + u]); }
        top[q] = a;
        low[q] = b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x0 + l >= w) return;
    uchar a = 0, b = 255;
    for (int q = l; q <= l + 2 * r; ++q) { a = max(a, top[q]); b = min(b, low[q]); }
    g[y * w + x0 + l] = a - b;
}
"""


@hl.kernel(
    problem=dict(h=50, w=150, r=2),
    work=lambda p: hl.Work(flops=4 * p.h * p.w, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1, r=1), dict(h=5, w=65, r=3), dict(h=3, w=2, r=4)],
    domain=dict(r="fixed"),
)
class dilate:
    def inputs(p, rng):
        return dict(
            f=rng.integers(0, 256, (p.h, p.w), dtype="u1"),
            g=hl.empty((p.h, p.w), "u1"),
            h=np.int32(p.h),
            w=np.int32(p.w),
            r=np.int32(p.r),
        )

    def reference(p, f, g, h, w, r):
        top, low = np.full(f.shape, 0), np.full(f.shape, 255)
        a = np.pad(f.astype("i8"), p.r, constant_values=-1)
        b = np.where(a < 0, 255, a)
        a = np.maximum(a, 0)
        for v in range(2 * p.r + 1):
            for u in range(2 * p.r + 1):
                top = np.maximum(top, a[v : v + p.h, u : u + p.w])
                low = np.minimum(low, b[v : v + p.h, u : u + p.w])
        return dict(g=top - low)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))
    rows = hl.OpenCL(ROWS, "k", global_size=lambda p, c: (-(-p.w // 64) * 64, p.h), local_size=lambda p, c: (64, 1))


MUTANTS = [
    (
        "plain",
        "bounds",
        "the square lacks its last row",
        "v <= min(y + r, h - 1); ++v)\n",
        "v < min(y + r, h - 1); ++v)\n",
    ),
    (
        "plain",
        "type",
        "pixels are signed",
        "top = max(top, (int)f[v * w + u]);",
        "top = max(top, (int)(char)f[v * w + u]);",
    ),
    ("plain", "start", "the least begins at 127", "low = 255", "low = 127"),
    ("rows", "halo", "the right halo is not filled", "q < W + 2 * r; q += W", "q < W + r; q += W"),
    ("rows", "barrier", "no barrier behind the columns", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    (
        "rows",
        "mask",
        "pixels outside count as zero",
        "uchar a = 0, b = 255;\n        if",
        "uchar a = 0, b = u >= 0 && u < w ? 255 : 0;\n        if",
    ),
    ("rows", "bounds", "one too few to the right", "q <= l + 2 * r", "q < l + 2 * r"),
]
