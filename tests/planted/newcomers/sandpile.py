"""Eight steps of a pile of sand on small grids: cells of four grains and more topple, grains fall off the edge."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void pile(__global const int *x, __global int *y) {
    __local int t[18][18];
    const int c = get_local_id(0), r = get_local_id(1), l = r * 16 + c, at = get_group_id(0) * 256 + l;
    if (l < 18) t[0][l] = t[17][l] = t[l][0] = t[l][17] = 0;
    t[r + 1][c + 1] = x[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 0; s < 8; ++s) {
        const int v = t[r + 1][c + 1] % 4 + t[r][c + 1] / 4 + t[r + 2][c + 1] / 4 + t[r + 1][c] / 4 + t[r + 1][c + 2] / 4;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[r + 1][c + 1] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[at] = t[r + 1][c + 1];
}
"""


@hl.kernel(
    problem=dict(n=50),
    work=lambda p: hl.Work(flops=0, bytes=4 * 256 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=3), dict(n=8)],
    domain=dict(x="positive"),
)
class sandpile:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 40, (p.n, 16, 16), dtype="i4"), y=hl.empty((p.n, 16, 16), "i4"))

    def reference(p, x, y):
        t = np.pad(x.astype("i8"), ((0, 0), (1, 1), (1, 1)))
        for _ in range(8):
            k = t // 4
            v = t[:, 1:-1, 1:-1] % 4 + k[:, :-2, 1:-1] + k[:, 2:, 1:-1] + k[:, 1:-1, :-2] + k[:, 1:-1, 2:]
            t = np.pad(v, ((0, 0), (1, 1), (1, 1)))
        return dict(y=t[:, 1:-1, 1:-1])

    a = hl.OpenCL(A, "pile", global_size=lambda p, c: (16 * p.n, 16), local_size=lambda p, c: (16, 16))


MUTANTS = [
    (
        "a",
        "uninitialised",
        "the border is not cleared",
        "    if (l < 18) t[0][l] = t[17][l] = t[l][0] = t[l][17] = 0;\n",
        "",
    ),
    ("a", "uninitialised", "the lower border is not cleared", "t[0][l] = t[17][l] = t", "t[0][l] = t"),
    (
        "a",
        "barrier",
        "no barrier before cells change",
        "[c + 2] / 4;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "[c + 2] / 4;",
    ),
    ("a", "barrier", "no barrier at the end of a step", "= v;\n        barrier(CLK_LOCAL_MEM_FENCE);", "= v;"),
    ("a", "bounds", "the grid is a column too narrow", "__local int t[18][18]", "__local int t[18][17]"),
    ("a", "steps", "seven steps", "s < 8; ++s", "s < 7; ++s"),
]
