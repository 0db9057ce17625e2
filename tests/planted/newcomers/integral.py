"""Mean brightness in a window around each pixel by a summed-area table that is given, with windows cut at the borders."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uint *table, __global float *o, const int h, const int w, const int radius) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const int x0 = max(x - radius, 0), x1 = min(x + radius + 1, w), y0 = max(y - radius, 0), y1 = min(y + radius + 1, h);
    const int p = w + 1;
    const uint sum = table[y1 * p + x1] - table[y0 * p + x1] - table[y1 * p + x0] + table[y0 * p + x0];
    o[y * w + x] = (float)sum / ((x1 - x0) * (y1 - y0));
}
"""


@hl.kernel(
    problem=dict(h=120, w=150, radius=5),
    work=lambda p: hl.Work(flops=12 * p.h * p.w, bytes=8 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1, radius=1), dict(h=7, w=40, radius=3), dict(h=33, w=9, radius=20)],
    domain=dict(table="sorted"),
)
class integral:
    def inputs(p, rng):
        image = rng.integers(0, 65536, (p.h, p.w))
        table = np.zeros((p.h + 1, p.w + 1), "u8")
        table[1:, 1:] = image.cumsum(0).cumsum(1)
        return dict(
            table=(table % (1 << 32)).astype("u4"),
            o=hl.empty((p.h, p.w)),
            h=np.int32(p.h),
            w=np.int32(p.w),
            radius=np.int32(p.radius),
        )

    def reference(p, table, o, h, w, radius):
        t = table.astype("i8")
        y, x = np.arange(p.h)[:, None], np.arange(p.w)[None]
        y0, y1 = np.maximum(y - p.radius, 0), np.minimum(y + p.radius + 1, p.h)
        x0, x1 = np.maximum(x - p.radius, 0), np.minimum(x + p.radius + 1, p.w)
        sums = (t[y1, x1] - t[y0, x1] - t[y1, x0] + t[y0, x0]) % (1 << 32)
        return dict(o=sums / ((x1 - x0) * (y1 - y0)))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    (
        "plain",
        "bounds",
        "the window lacks its last column",
        "x1 = min(x + radius + 1, w)",
        "x1 = min(x + max(radius, 1), w)",
    ),
    (
        "plain",
        "scalar",
        "always the full window's area",
        "((x1 - x0) * (y1 - y0))",
        "((2 * radius + 1) * (2 * radius + 1))",
    ),
    ("plain", "stride", "the table is as wide as the picture", "const int p = w + 1;", "const int p = w;"),
    ("plain", "type", "sums as signed numbers", "const uint sum =", "const int sum ="),
    (
        "plain",
        "precision",
        "corners are converted first",
        "(float)sum / (",
        "((float)table[y1 * p + x1] - (float)table[y0 * p + x1] - (float)table[y1 * p + x0] + (float)table[y0 * p + x0]) / (",
    ),
]
