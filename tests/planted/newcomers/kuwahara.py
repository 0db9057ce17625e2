"""Kuwahara's filter: of the four quadrants around a pixel the mean of the one whose values differ least; borders repeat the edge."""

import numpy as np

import hotloop as hl

A = """
__kernel void kuwahara(__global const uchar *in, __global uchar *o, const int w, const int h, const int r) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const int count = (r + 1) * (r + 1);
    int least = INT_MAX, mean = 0;
    for (int q = 0; q < 4; ++q) {
        const int x0 = q & 1 ? x : x - r, y0 = q & 2 ? y : y - r;
        int sum = 0, squares = 0;
        for (int j = 0; j <= r; ++j)
            for (int i = 0; i <= r; ++i) {
                const int v = in[clamp(y0 + j, 0, h - 1) * w + clamp(x0 + i, 0, w - 1)];
                sum += v;
                squares += v * v;
            }
        const int spread = count * squares - sum * sum;
        if (spread < least) {
            least = spread;
            mean = (2 * sum + count) / (2 * count);
        }
    }
    o[y * w + x] = mean;
}
"""


@hl.kernel(
    problem=dict(w=70, h=45, r=2),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1, r=1), dict(w=17, h=5, r=3), dict(w=33, h=64, r=4)],
    domain=dict(r="fixed"),
)
class kuwahara:
    def inputs(p, rng):
        return {
            "in": rng.integers(0, 256, (p.h, p.w)).astype("u1"),
            "o": hl.empty((p.h, p.w), "u1"),
            "w": p.w,
            "h": p.h,
            "r": p.r,
        }

    def reference(p, **a):
        image, w, h, r = a["in"].astype("i8"), p.w, p.h, p.r
        wide, n = np.pad(image, r, mode="edge"), (p.r + 1) ** 2
        best, out = np.full((h, w), np.iinfo("i8").max), np.zeros((h, w), "i8")
        for q in range(4):
            x0, y0 = (r if q & 1 else 0), (r if q & 2 else 0)
            tiles = np.lib.stride_tricks.sliding_window_view(wide, (r + 1, r + 1))[y0 : y0 + h, x0 : x0 + w].reshape(
                h, w, -1
            )
            s = tiles.sum(axis=2)
            spread = n * (tiles**2).sum(axis=2) - s * s
            out = np.where(spread < best, (2 * s + n) // (2 * n), out)
            best = np.minimum(best, spread)
        return dict(o=out)

    a = hl.OpenCL(
        A, "kuwahara", global_size=lambda p, c: (-(-p.w // 16) * 16, -(-p.h // 4) * 4), local_size=lambda p, c: (16, 4)
    )


MUTANTS = [
    ("a", "tie", "the last of equal quadrants", "spread < least", "spread <= least"),
    ("a", "rounding", "means are cut", "(2 * sum + count) / (2 * count)", "sum / count"),
    ("a", "edge", "the lower edge is clamped too late", "clamp(y0 + j, 0, h - 1)", "clamp(y0 + j, 0, h)"),
    ("a", "stride", "rows are as long as columns", "h - 1) * w +", "h - 1) * h +"),
    ("a", "narrow", "squares in sixteen bits", "int sum = 0, squares = 0;", "int sum = 0; ushort squares = 0;"),
    ("a", "bounds", "quadrants without their last row", "for (int j = 0; j <= r; ++j)", "for (int j = 0; j < r; ++j)"),
    (
        "a",
        "swap",
        "quadrants in another order",
        "q & 1 ? x : x - r, y0 = q & 2 ? y",
        "q & 2 ? x : x - r, y0 = q & 1 ? y",
    ),
]
