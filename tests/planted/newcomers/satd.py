"""Sums of absolute Hadamard coefficients of differences of blocks of four by four, as a video encoder compares them."""

import numpy as np

import hotloop as hl

A = """
__kernel void satd(__global const uchar *a, __global const uchar *b, __global uint *cost, const int across, const int down, const int pitch) {
    const int u = get_global_id(0), v = get_global_id(1);
    if (u >= across || v >= down) return;
    int d[16];
    for (int r = 0; r < 4; ++r) {
        const int at = (4 * v + r) * pitch + 4 * u;
        const int e0 = a[at] - b[at], e1 = a[at + 1] - b[at + 1], e2 = a[at + 2] - b[at + 2], e3 = a[at + 3] - b[at + 3];
        const int s0 = e0 + e1, s1 = e0 - e1, s2 = e2 + e3, s3 = e2 - e3;
        d[4 * r] = s0 + s2; d[4 * r + 1] = s1 + s3; d[4 * r + 2] = s0 - s2; d[4 * r + 3] = s1 - s3;
    }
    uint sum = 0;
    for (int c = 0; c < 4; ++c) {
        const int s0 = d[c] + d[4 + c], s1 = d[c] - d[4 + c], s2 = d[8 + c] + d[12 + c], s3 = d[8 + c] - d[12 + c];
        sum += abs(s0 + s2) + abs(s1 + s3) + abs(s0 - s2) + abs(s1 - s3);
    }
    cost[v * across + u] = (sum + 1) >> 1;
}
"""


@hl.kernel(
    problem=dict(across=40, down=30),
    work=lambda p: hl.Work(flops=0, bytes=36 * p.across * p.down),
    awkward=lambda p: [dict(across=1, down=1), dict(across=7, down=3), dict(across=2, down=9)],
)
class satd:
    def inputs(p, rng):
        form = (4 * p.down, 4 * p.across + 3)
        return dict(
            a=rng.integers(0, 256, form, dtype="u1"),
            b=rng.integers(0, 256, form, dtype="u1"),
            cost=hl.empty((p.down, p.across), "u4"),
            across=p.across,
            down=p.down,
            pitch=np.int32(4 * p.across + 3),
        )

    def reference(p, a, b, cost, across, down, pitch):
        h = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
        e = (a.astype("i8") - b)[:, : 4 * p.across].reshape(p.down, 4, p.across, 4).transpose(0, 2, 1, 3)
        return dict(cost=(np.abs(h @ e @ h.T).sum((2, 3)) + 1) >> 1)

    a = hl.OpenCL(A, "satd", global_size=lambda p, c: (p.across, p.down))


MUTANTS = [
    (
        "a",
        "narrow",
        "differences of eight bits",
        "const int e0 = a[at] - b[at]",
        "const int e0 = (char)(a[at] - b[at])",
    ),
    ("a", "rounding", "one too many", "(sum + 1) >> 1", "(sum + 2) >> 1"),
    ("a", "sign", "one coefficient keeps its sign", "abs(s1 - s3)", "(s1 - s3)"),
    ("a", "stride", "rows are as wide as the blocks", "* pitch + 4 * u", "* 4 * across + 4 * u"),
    ("a", "swap", "rows are not transformed whole", "d[4 * r + 2] = s0 - s2", "d[4 * r + 2] = s2 - s2"),
    ("a", "lost", "the last column is left out", "c < 4; ++c", "c < 3; ++c"),
    ("a", "bounds", "the last row of blocks", "v >= down)", "v >= down - 1)"),
]
