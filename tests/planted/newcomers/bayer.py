"""Colours from an RGGB mosaic of 16-bit samples: means of two or four neighbours, mirrored at the border."""

import numpy as np

import hotloop as hl

PLAIN = """
int fold(int v, int n) { v = v < 0 ? -v : v; return v >= n ? 2 * n - 2 - v : v; }
__kernel void k(__global const ushort *m, __global ushort *o, const int h, const int w) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const int l = fold(x - 1, w), r = fold(x + 1, w), u = fold(y - 1, h), d = fold(y + 1, h);
    const uint here = m[y * w + x];
    const uint cross = (m[y * w + l] + m[y * w + r] + m[u * w + x] + m[d * w + x] + 2) / 4;
    const uint diag = (m[u * w + l] + m[u * w + r] + m[d * w + l] + m[d * w + r] + 2) / 4;
    const uint across = (m[y * w + l] + m[y * w + r] + 1) / 2, along = (m[u * w + x] + m[d * w + x] + 1) / 2;
    uint red, green, blue;
    if (y % 2 == 0 && x % 2 == 0) { red = here; green = cross; blue = diag; }
    else if (y % 2 == 1 && x % 2 == 1) { red = diag; green = cross; blue = here; }
    else if (y % 2 == 0) { red = across; green = here; blue = along; }
    else { red = along; green = here; blue = across; }
    const int at = 3 * (y * w + x);
    o[at] = red; o[at + 1] = green; o[at + 2] = blue;
}
"""
QUADS = """
int fold(int v, int n) { v = v < 0 ? -v : v; return v >= n ? 2 * n - 2 - v : v; }
#define M(y, x) (uint)m[fold(y, h) * w + fold(x, w)]
void put(__global ushort *o, int at, uint a, uint b, uint c) { o[3 * at] = a; o[3 * at + 1] = b; o[3 * at + 2] = c; }
__kernel void k(__global const ushort *m, __global ushort *o, const int h, const int w) {
    const int x = 2 * get_global_id(0), y = 2 * get_global_id(1);
    if (x >= w || y >= h) return;
    put(o, y * w + x, M(y, x), (M(y, x - 1) + M(y, x + 1) + M(y - 1, x) + M(y + 1, x) + 2) >> 2,
        (M(y - 1, x - 1) + M(y - 1, x + 1) + M(y + 1, x - 1) + M(y + 1, x + 1) + 2) >> 2);
    if (x + 1 < w) put(o, y * w + x + 1, (M(y, x) + M(y, x + 2) + 1) >> 1, M(y, x + 1), (M(y - 1, x + 1) + M(y + 1, x + 1) + 1) >> 1);
    if (y + 1 < h) put(o, (y + 1) * w + x, (M(y, x) + M(y + 2, x) + 1) >> 1, M(y + 1, x), (M(y + 1, x - 1) + M(y + 1, x + 1) + 1) >> 1);
    if (x + 1 < w && y + 1 < h)
        put(o, (y + 1) * w + x + 1, (M(y, x) + M(y, x + 2) + M(y + 2, x) + M(y + 2, x + 2) + 2) >> 2,
            (M(y + 1, x) + M(y + 1, x + 2) + M(y, x + 1) + M(y + 2, x + 1) + 2) >> 2, M(y + 1, x + 1));
}
"""


@hl.kernel(
    problem=dict(h=46, w=75),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.h * p.w),
    awkward=lambda p: [dict(h=2, w=2), dict(h=3, w=5), dict(h=17, w=2)],
)
class bayer:
    def inputs(p, rng):
        return dict(
            m=rng.integers(0, 65536, (p.h, p.w), dtype="u2"),
            o=hl.empty((p.h, p.w, 3), "u2"),
            h=np.int32(p.h),
            w=np.int32(p.w),
        )

    def reference(p, m, o, h, w):
        e = np.pad(m.astype("i8"), 1, mode="reflect")
        at = lambda dy, dx: e[1 + dy : 1 + dy + p.h, 1 + dx : 1 + dx + p.w]
        cross = (at(0, -1) + at(0, 1) + at(-1, 0) + at(1, 0) + 2) // 4
        diag = (at(-1, -1) + at(-1, 1) + at(1, -1) + at(1, 1) + 2) // 4
        across, along, here = (at(0, -1) + at(0, 1) + 1) // 2, (at(-1, 0) + at(1, 0) + 1) // 2, at(0, 0)
        y, x = np.indices((p.h, p.w)) % 2
        red = np.where(y == 0, np.where(x == 0, here, across), np.where(x == 0, along, diag))
        green = np.where(y == x, cross, here)
        blue = np.where(y == 0, np.where(x == 0, diag, along), np.where(x == 0, across, here))
        return dict(o=np.stack([red, green, blue], -1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))
    quads = hl.OpenCL(QUADS, "k", global_size=lambda p, c: (-(-p.w // 2), -(-p.h // 2)))


MUTANTS = [
    (
        "plain",
        "type",
        "sums in 16 bits",
        "const uint across = (m[y * w + l] + m[y * w + r] + 1) / 2",
        "const uint across = (ushort)(m[y * w + l] + m[y * w + r] + 1) / 2",
    ),
    (
        "plain",
        "rounding",
        "four are cut off",
        "m[u * w + x] + m[d * w + x] + 2) / 4",
        "m[u * w + x] + m[d * w + x]) / 4",
    ),
    ("plain", "border", "the edge itself is repeated", "v = v < 0 ? -v : v;", "v = v < 0 ? 0 : v;"),
    (
        "quads",
        "lost-tail",
        "the last odd column is left",
        "if (x >= w || y >= h) return;",
        "if (x + 1 >= w || y >= h) return;",
    ),
    (
        "quads",
        "swap",
        "red and blue of one place",
        "(M(y, x) + M(y + 2, x) + 1) >> 1, M(y + 1, x), (M(y + 1, x - 1) + M(y + 1, x + 1) + 1) >> 1",
        "(M(y + 1, x - 1) + M(y + 1, x + 1) + 1) >> 1, M(y + 1, x), (M(y, x) + M(y + 2, x) + 1) >> 1",
    ),
]
