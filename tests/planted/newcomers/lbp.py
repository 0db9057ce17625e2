"""Local binary patterns of grey images: a bit for each of the eight neighbours that is no darker, the border repeated."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *g, __global uchar *o, const int h, const int w) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const uchar c = g[y * w + x];
    const int dx[8] = {-1, 0, 1, 1, 1, 0, -1, -1}, dy[8] = {-1, -1, -1, 0, 1, 1, 1, 0};
    uint code = 0;
    for (int b = 0; b < 8; ++b) {
        const int u = clamp(x + dx[b], 0, w - 1), v = clamp(y + dy[b], 0, h - 1);
        code |= (uint)(g[v * w + u] >= c) << b;
    }
    o[y * w + x] = (uchar)code;
}
"""
TILE = """
__kernel __attribute__((reqd_work_group_size(16, 8, 1)))
void k(__global const uchar *g, __global uchar *o, const int h, const int w) {
    __local uchar t[10][18];
    const int x0 = get_group_id(0) * 16, y0 = get_group_id(1) * 8, lx = get_local_id(0), ly = get_local_id(1);
    for (int s = ly * 16 + lx; s < 180; s += 128) {
        const int u = clamp(x0 + s % 18 - 1, 0, w - 1), v = clamp(y0 + s / 18 - 1, 0, h - 1);
        t[s / 18][s % 18] = g[v * w + u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = x0 + lx, y = y0 + ly;
    if (x >= w || y >= h) return;
    const uchar c = t[ly + 1][lx + 1];
    uint code = t[ly][lx] >= c;
    code |= (uint)(t[ly][lx + 1] >= c) << 1 | (uint)(t[ly][lx + 2] >= c) << 2 | (uint)(t[ly + 1][lx + 2] >= c) << 3;
    code |= (uint)(t[ly + 2][lx + 2] >= c) << 4 | (uint)(t[ly + 2][lx + 1] >= c) << 5 | (uint)(t[ly + 2][lx] >= c) << 6;
    code |= (uint)(t[ly + 1][lx] >= c) << 7;
    o[y * w + x] = code;
}
"""


@hl.kernel(
    problem=dict(h=61, w=97),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=8, w=17), dict(h=33, w=5)],
)
class lbp:
    def inputs(p, rng):
        return dict(
            g=rng.integers(0, 256, (p.h, p.w), dtype="u1"),
            o=hl.empty((p.h, p.w), "u1"),
            h=np.int32(p.h),
            w=np.int32(p.w),
        )

    def reference(p, g, o, h, w):
        e = np.pad(g, 1, mode="edge")
        code = np.zeros((p.h, p.w), "i8")
        for b, (dx, dy) in enumerate(((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))):
            code |= (e[1 + dy : 1 + dy + p.h, 1 + dx : 1 + dx + p.w] >= g).astype("i8") << b
        return dict(o=code)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))
    tile = hl.OpenCL(
        TILE, "k", global_size=lambda p, c: (-(-p.w // 16) * 16, -(-p.h // 8) * 8), local_size=lambda p, c: (16, 8)
    )


MUTANTS = [
    ("plain", "compare", "only brighter ones", ">= c) << b", "> c) << b"),
    ("plain", "bounds", "no clamp to the left", "clamp(x + dx[b], 0, w - 1)", "min(x + dx[b], w - 1)"),
    ("plain", "stride", "rows as long as the image is high", "g[v * w + u]", "g[v * h + u]"),
    ("tile", "halo", "the last row of the tile is not loaded", "s < 180; s += 128", "s < 162; s += 128"),
    (
        "tile",
        "barrier",
        "no barrier behind the tile",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    const int x",
        "    const int x",
    ),
    (
        "tile",
        "order",
        "two bits are exchanged",
        "(t[ly + 2][lx + 2] >= c) << 4 | (uint)(t[ly + 2][lx + 1] >= c) << 5",
        "(t[ly + 2][lx + 1] >= c) << 4 | (uint)(t[ly + 2][lx + 2] >= c) << 5",
    ),
]
