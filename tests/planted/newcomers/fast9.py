"""Corners by nine of sixteen pixels in a row around that are all brighter, or all darker, by more than a threshold."""

import numpy as np

import hotloop as hl

SOURCE = """
__constant int DX[16] = {0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3, -3, -3, -2, -1};
__constant int DY[16] = {-3, -3, -2, -1, 0, 1, 2, 3, 3, 3, 2, 1, 0, -1, -2, -3};
__kernel void fast(__global const uchar *a, __global uchar *corner, const int h, const int w, const int threshold) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    int found = 0;
    if (x >= 3 && y >= 3 && x < w - 3 && y < h - 3) {
        const int c = a[y * w + x];
        int bright = 0, dark = 0;
        for (int i = 0; i < 24; ++i) {
            const int v = a[(y + DY[i & 15]) * w + x + DX[i & 15]];
            bright = v > c + threshold ? bright + 1 : 0;
            dark = v < c - threshold ? dark + 1 : 0;
            found |= bright >= 9 || dark >= 9;
        }
    }
    corner[y * w + x] = found;
}
"""


@hl.kernel(
    problem=dict(h=70, w=90, threshold=20),
    work=lambda p: hl.Work(flops=70 * p.h * p.w, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1, threshold=20), dict(h=7, w=7, threshold=20), dict(h=9, w=65, threshold=5)],
    domain=dict(threshold="at most 200"),
)
class fast9:
    def inputs(p, rng):
        image = rng.integers(0, 40, (p.h, p.w))
        for _ in range(p.h * p.w // 60):
            y, x = int(rng.integers(0, p.h)), int(rng.integers(0, p.w))
            image[y : y + int(rng.integers(1, 9)), x : x + int(rng.integers(1, 9))] = rng.integers(0, 256)
        return dict(
            a=image.astype("u1"),
            corner=hl.empty((p.h, p.w), "u1"),
            h=np.int32(p.h),
            w=np.int32(p.w),
            threshold=np.int32(p.threshold),
        )

    def reference(p, a, corner, h, w, threshold):
        out = np.zeros((p.h, p.w), "u1")
        if p.h > 6 and p.w > 6:
            ring = [(0, -3), (1, -3), (2, -2), (3, -1), (3, 0), (3, 1), (2, 2), (1, 3)]
            ring += [(-x, -y) for x, y in ring]
            b, centre = a.astype(int), a[3:-3, 3:-3].astype(int)
            around = np.stack([b[3 + y : p.h - 3 + y, 3 + x : p.w - 3 + x] for x, y in ring])
            for sign in (1, -1):
                far = sign * (around - centre) > p.threshold
                for s in range(16):
                    out[3:-3, 3:-3] |= np.roll(far, s, axis=0)[:9].all(axis=0)
        return dict(corner=out)

    plain = hl.OpenCL(SOURCE, "fast", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("plain", "limit", "differences of the threshold count", "v > c + threshold", "v >= c + threshold"),
    ("plain", "off-by-one", "runs across the seam miss one", "i < 24", "i < 23"),
    ("plain", "limit", "runs of dark pixels need ten", "dark >= 9", "dark >= 10"),
    ("plain", "type", "the bright limit in eight bits", "v > c + threshold", "v > (uchar)(c + threshold)"),
    ("plain", "boundary", "the last row that has a ring is left out", "y < h - 3) {", "y < h - 4) {"),
    (
        "plain",
        "index",
        "a pixel of the ring in the wrong place",
        "2, 1, 0, -1, -2, -3, -3, -3, -2, -1}",
        "2, 1, 0, -1, -2, -3, -3, -2, -2, -1}",
    ),
]
