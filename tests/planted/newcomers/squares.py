"""Marching squares: the case of each cell of a grid (four corners above a level), and how many lines it has, from a table."""

import numpy as np

import hotloop as hl

PLAIN = """
__constant uchar lines[16] = {0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 0};
__kernel void k(__global const float *f, __global uchar *which, __global uchar *count, const int h, const int w, const float level) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w - 1 || y >= h - 1) return;
    __global const float *at = f + y * w + x;
    const int c = (at[0] > level) | (at[1] > level) << 1 | (at[w + 1] > level) << 2 | (at[w] > level) << 3;
    which[y * (w - 1) + x] = c;
    count[y * (w - 1) + x] = lines[c];
}
"""
TILE = """
#define T 8
__attribute__((reqd_work_group_size(T, T, 1)))
__kernel void k(__global const float *f, __global uchar *which, __global uchar *count, const int h, const int w, const float level) {
    __local uchar above[T + 1][T + 1];
    const int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * T, y0 = get_group_id(1) * T;
    for (int q = ly * T + lx; q < (T + 1) * (T + 1); q += T * T) {
        const int yy = q / (T + 1), xx = q % (T + 1);
        above[yy][xx] = y0 + yy < h && x0 + xx < w && f[(y0 + yy) * w + x0 + xx] > level;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = x0 + lx, y = y0 + ly;
    if (x >= w - 1 || y >= h - 1) return;
    const int c = above[ly][lx] | above[ly][lx + 1] << 1 | above[ly + 1][lx + 1] << 2 | above[ly + 1][lx] << 3;
    which[y * (w - 1) + x] = c;
    count[y * (w - 1) + x] = c == 5 || c == 10 ? 2 : c != 0 && c != 15;
}
"""


def up(n, m):
    return -(-n // m) * m


@hl.kernel(
    problem=dict(h=60, w=77),
    work=lambda p: hl.Work(flops=8 * p.h * p.w, bytes=6 * p.h * p.w),
    awkward=lambda p: [dict(h=2, w=2), dict(h=9, w=18), dict(h=17, w=8)],
)
class squares:
    def inputs(p, rng):
        f = rng.standard_normal((p.h, p.w), "f4")
        f[rng.random(f.shape) < 0.1] = 0.25
        return dict(
            f=f,
            which=hl.empty((p.h - 1, p.w - 1), "u1"),
            count=hl.empty((p.h - 1, p.w - 1), "u1"),
            h=np.int32(p.h),
            w=np.int32(p.w),
            level=np.float32(0.25),
        )

    def reference(p, f, which, count, h, w, level):
        a = (f > level).astype("i8")
        c = a[:-1, :-1] + 2 * a[:-1, 1:] + 4 * a[1:, 1:] + 8 * a[1:, :-1]
        table = np.array([0, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 0])
        return dict(which=c, count=table[c])

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))
    tile = hl.OpenCL(
        TILE, "k", global_size=lambda p, c: (up(p.w - 1, 8), up(p.h - 1, 8)), local_size=lambda p, c: (8, 8)
    )


MUTANTS = [
    ("plain", "bounds", "what equals the level is above", "(at[0] > level)", "(at[0] >= level)"),
    ("plain", "table", "the second saddle has one line", "1, 1, 2, 1, 1, 1, 1, 0}", "1, 1, 1, 1, 1, 1, 1, 0}"),
    (
        "plain",
        "index",
        "two corners change places",
        "(at[w + 1] > level) << 2 | (at[w] > level) << 3",
        "(at[w] > level) << 2 | (at[w + 1] > level) << 3",
    ),
    ("plain", "scalar", "the level is zero", "(at[1] > level)", "(at[1] > 0.0f)"),
    ("tile", "halo", "the edge of the tile is not loaded", "q < (T + 1) * (T + 1)", "q < (T + 1) * T"),
    ("tile", "barrier", "no barrier behind the tile", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("tile", "bounds", "rows are not bounded", "y0 + yy < h && x0 + xx < w", "x0 + xx < w"),
    ("tile", "case", "one saddle only", "c == 5 || c == 10 ? 2", "c == 5 ? 2"),
]
