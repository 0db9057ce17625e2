"""Wireworld: a generation of cells (nothing, head, tail, wire) with a tile and its border in local memory."""

import numpy as np

import hotloop as hl

A = """
#define T 16
__kernel void step(__global const uchar *in, __global uchar *o, const int w, const int h) {
    __local uchar tile[T + 2][T + 2];
    const int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * T, y0 = get_group_id(1) * T;
    for (int i = ly * T + lx; i < (T + 2) * (T + 2); i += T * T) {
        const int x = x0 + i % (T + 2) - 1, y = y0 + i / (T + 2) - 1;
        tile[i / (T + 2)][i % (T + 2)] = x >= 0 && y >= 0 && x < w && y < h ? in[y * w + x] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = x0 + lx, y = y0 + ly;
    if (x >= w || y >= h) return;
    const uchar cell = tile[ly + 1][lx + 1];
    int heads = 0;
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) heads += tile[ly + j][lx + i] == 1;
    uchar next = 0;
    if (cell == 1) next = 2;
    else if (cell == 2) next = 3;
    else if (cell == 3) next = heads == 1 || heads == 2 ? 1 : 3;
    o[y * w + x] = next;
}
"""


@hl.kernel(
    problem=dict(w=90, h=50),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=16, h=33), dict(w=40, h=3)],
)
class wireworld:
    def inputs(p, rng):
        return {
            "in": rng.choice(4, (p.h, p.w), p=[0.2, 0.15, 0.15, 0.5]).astype("u1"),
            "o": hl.empty((p.h, p.w), "u1"),
            "w": p.w,
            "h": p.h,
        }

    def reference(p, **a):
        cells = a["in"]
        wide = np.pad(cells == 1, 1).astype("i8")
        heads = sum(wide[j : j + p.h, i : i + p.w] for j in range(3) for i in range(3))
        out = np.select([cells == 1, cells == 2, cells == 3], [2, 3, np.where((heads == 1) | (heads == 2), 1, 3)], 0)
        return dict(o=out)

    a = hl.OpenCL(
        A, "step", global_size=lambda p, c: (-(-p.w // 16) * 16, -(-p.h // 16) * 16), local_size=lambda p, c: (16, 16)
    )


MUTANTS = [
    ("a", "bounds", "three heads are enough, too", "heads == 1 || heads == 2", "heads >= 1 && heads <= 3"),
    ("a", "barrier", "no barrier after the tile", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("a", "edge", "left of the first column is the row before", "x >= 0 && y >= 0", "y >= 0"),
    ("a", "edge", "right of the last column is the next row", "x < w && y < h ? in", "y < h ? in"),
    ("a", "bounds", "corners of the border are not filled", "i < (T + 2) * (T + 2); i", "i < (T + 2) * (T + 2) - 1; i"),
    ("a", "stride", "cells of rows as long as columns", "in[y * w + x]", "in[y * h + x]"),
    ("a", "shape", "a row of the tile is short", "tile[T + 2][T + 2]", "tile[T + 2][T + 1]"),
]
