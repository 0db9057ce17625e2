"""One step of Conway's game of life; cells beyond the edges are dead."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void life(__global const uchar *x, __global uchar *y, const int h, const int w) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (i >= h || j >= w) return;
    int alive = 0;
    for (int a = max(i - 1, 0); a <= min(i + 1, h - 1); ++a)
        for (int b = max(j - 1, 0); b <= min(j + 1, w - 1); ++b) alive += x[a * w + b];
    alive -= x[i * w + j];
    y[i * w + j] = alive == 3 || (alive == 2 && x[i * w + j]);
}
"""
TILE = """
__kernel void life(__global const uchar *x, __global uchar *y, const int h, const int w) {
    __local uchar a[10][18];
    const int t = 16 * get_local_id(1) + get_local_id(0), i0 = 8 * get_group_id(1) - 1, j0 = 16 * get_group_id(0) - 1;
    for (int k = t; k < 180; k += 128) {
        const int i = i0 + k / 18, j = j0 + k % 18;
        a[k / 18][k % 18] = i >= 0 && i < h && j >= 0 && j < w ? x[i * w + j] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int r = get_local_id(1) + 1, c = get_local_id(0) + 1, i = i0 + r, j = j0 + c;
    if (i >= h || j >= w) return;
    const int s = a[r-1][c-1] + a[r-1][c] + a[r-1][c+1] + a[r][c-1] + a[r][c+1] + a[r+1][c-1] + a[r+1][c] + a[r+1][c+1];
    y[i * w + j] = s == 3 | (s == 2 & a[r][c]);
}
"""


@hl.kernel(
    problem=dict(h=60, w=90),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=9, w=17), dict(h=2, w=31)],
)
class life:
    def inputs(p, rng):
        return dict(
            x=(rng.random((p.h, p.w)) < 0.4).astype("u1"), y=hl.empty((p.h, p.w), "uint8"), h=np.int32(p.h), w=np.int32(p.w)
        )  # fmt: skip

    def reference(p, x, y, h, w):
        padded = np.pad(x.astype(int), 1)
        s = sum(padded[a : a + p.h, b : b + p.w] for a in range(3) for b in range(3)) - x
        return dict(y=((s == 3) | ((s == 2) & (x == 1))).astype("u1"))

    plain = hl.OpenCL(PLAIN, "life", global_size=lambda p, c: (p.w, p.h))
    tile = hl.OpenCL(
        TILE, "life", global_size=lambda p, c: (-(-p.w // 16) * 16, -(-p.h // 8) * 8), local_size=lambda p, c: (16, 8)
    )


MUTANTS = [
    ("plain", "rule", "two neighbours are enough", "(alive == 2 && x[i * w + j])", "alive == 2"),
    ("plain", "self", "the cell counts itself", "    alive -= x[i * w + j];\n", ""),
    (
        "plain",
        "edge",
        "the last row has no lower neighbour although it is there",
        "min(i + 1, h - 1)",
        "min(i + 1, h - 2)",
    ),
    ("tile", "halo", "the last column of the halo is dead", "j < w ?", "j < w && k % 18 < 17 ?"),
    ("tile", "neighbour", "one neighbour counts twice", "a[r+1][c+1]", "a[r+1][c]"),
    ("tile", "barrier", "no barrier", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
]
