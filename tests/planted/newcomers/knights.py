"""How many empty squares each square's knight could reach, on rectangular boards."""

import numpy as np

import hotloop as hl

A = """
__constant int DX[8] = {1, 2, 2, 1, -1, -2, -2, -1}, DY[8] = {2, 1, -1, -2, -2, -1, 1, 2};
__kernel void knights(__global const uchar *taken, __global uchar *free, const int w, const int h) {
    const int x = get_global_id(0), y = get_global_id(1), board = get_global_id(2) * w * h;
    if (x >= w || y >= h) return;
    int count = 0;
    for (int k = 0; k < 8; ++k) {
        const int a = x + DX[k], b = y + DY[k];
        if (a >= 0 && a < w && b >= 0 && b < h) count += !taken[board + b * w + a];
    }
    free[board + y * w + x] = count;
}
"""


@hl.kernel(
    problem=dict(m=20, w=13, h=9),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.m * p.w * p.h),
    awkward=lambda p: [dict(m=1, w=1, h=1), dict(m=2, w=3, h=2), dict(m=1, w=2, h=20)],
    domain=dict(taken="any"),
)
class knights:
    def inputs(p, rng):
        return dict(
            taken=rng.integers(0, 2, (p.m, p.h, p.w), dtype="u1"), free=hl.empty((p.m, p.h, p.w), "u1"), w=p.w, h=p.h
        )

    def reference(p, taken, free, w, h):
        wide = np.pad(taken == 0, [(0, 0), (2, 2), (2, 2)])
        moves = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
        return dict(free=sum(wide[:, 2 + y : 2 + y + p.h, 2 + x : 2 + x + p.w].astype("u1") for x, y in moves))

    a = hl.OpenCL(A, "knights", global_size=lambda p, c: (p.w, p.h, p.m))


MUTANTS = [
    ("a", "boundary", "the first column is no square", "a >= 0 &&", "a > 0 &&"),
    ("a", "boundary", "beyond the last row", "b < h)", "b <= h)"),
    ("a", "boundary", "columns wrap", "a >= 0 && a < w && ", ""),
    ("a", "index", "board of the first", "!taken[board + b * w + a]", "!taken[b * w + a]"),
    ("a", "sign", "a move is there twice", "-1, -2, -2, -1}, DY", "-1, -2, -2, 1}, DY"),
    ("a", "operator", "complement for not", "count += !taken[", "count += 1 & ~taken["),
]
