"""Half a step of thinning a binary image; beyond its border all is background."""

import numpy as np

import hotloop as hl

SOURCE = """
int at(__global const uchar *a, const int h, const int w, const int y, const int x) {
    return y >= 0 && y < h && x >= 0 && x < w ? a[y * w + x] : 0;
}
__kernel void thin(__global const uchar *a, __global uchar *o, const int h, const int w, const int second) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    int p[8];
    p[0] = at(a, h, w, y - 1, x);
    p[1] = at(a, h, w, y - 1, x + 1);
    p[2] = at(a, h, w, y, x + 1);
    p[3] = at(a, h, w, y + 1, x + 1);
    p[4] = at(a, h, w, y + 1, x);
    p[5] = at(a, h, w, y + 1, x - 1);
    p[6] = at(a, h, w, y, x - 1);
    p[7] = at(a, h, w, y - 1, x - 1);
    int set = 0, turns = 0;
    for (int i = 0; i < 8; ++i) {
        set += p[i];
        turns += !p[i] && p[(i + 1) & 7];
    }
    const int first = second ? p[0] && p[2] && p[6] : p[0] && p[2] && p[4];
    const int other = second ? p[0] && p[4] && p[6] : p[2] && p[4] && p[6];
    const int gone = set >= 2 && set <= 6 && turns == 1 && !first && !other;
    o[y * w + x] = a[y * w + x] && !gone;
}
"""


@hl.kernel(
    problem=dict(h=60, w=70, second=0),
    work=lambda p: hl.Work(flops=30 * p.h * p.w, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1, second=0), dict(h=3, w=33, second=1), dict(h=65, w=2, second=1)],
    domain=dict(second="at most 1"),
)
class zhang:
    def inputs(p, rng):
        image = rng.random((p.h, p.w))
        image = (image + np.roll(image, 1, 0) + np.roll(image, 1, 1) + np.roll(image, -1, 0)) / 4
        return dict(
            a=(image > 0.45).astype("u1"),
            o=hl.empty((p.h, p.w), "u1"),
            h=np.int32(p.h),
            w=np.int32(p.w),
            second=np.int32(p.second),
        )

    def reference(p, a, o, h, w, second):
        b = np.pad(a, 1).astype(int)
        steps = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)]
        n = [b[1 + dy : 1 + dy + p.h, 1 + dx : 1 + dx + p.w] for dy, dx in steps]
        total = sum(n)
        turns = sum((n[i] == 0) & (n[(i + 1) % 8] == 1) for i in range(8))
        p2, p4, p6, p8 = n[0], n[2], n[4], n[6]
        stay = (p2 * p4 * p8 + p2 * p6 * p8) if p.second else (p2 * p4 * p6 + p4 * p6 * p8)
        gone = (total >= 2) & (total <= 6) & (turns == 1) & (stay == 0)
        return dict(o=np.where(gone, 0, a))

    plain = hl.OpenCL(SOURCE, "thin", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("plain", "limit", "seven neighbours are allowed", "set <= 6", "set <= 7"),
    ("plain", "limit", "ends of lines are removed", "set >= 2", "set >= 1"),
    ("plain", "index", "the last turn is not counted", "p[(i + 1) & 7]", "p[min(i + 1, 7)]"),
    ("plain", "scalar", "the first half's rule for both", "const int other = second ?", "const int other = 0 ?"),
    (
        "plain",
        "boundary",
        "beyond the border the image goes on",
        "x >= 0 && x < w ? a[y * w + x] : 0",
        "x >= 0 && x <= w && y * w + x < h * w ? a[y * w + x] : 0",
    ),
]
