"""Forward 4 × 4 integer transform of a video codec, and its quantiser with a dead zone of a third."""

import numpy as np

import hotloop as hl

SOURCE = """
__constant int MF[18] = {13107, 5243, 8066, 11916, 4660, 7490, 10082, 4194, 6554, 9362, 3647, 5825, 8192, 3355, 5243, 7282, 2893, 4559};
__kernel void quantise(__global const short *block, __global short *level, const int blocks, const int qp) {
    const int b = get_global_id(0);
    if (b >= blocks) return;
    int t[16];
    for (int i = 0; i < 4; ++i) {
        const int p = block[b * 16 + 4 * i], q = block[b * 16 + 4 * i + 1], r = block[b * 16 + 4 * i + 2], s = block[b * 16 + 4 * i + 3];
        t[4 * i] = p + q + r + s;
        t[4 * i + 1] = 2 * p + q - r - 2 * s;
        t[4 * i + 2] = p - q - r + s;
        t[4 * i + 3] = p - 2 * q + 2 * r - s;
    }
    const int shift = 15 + qp / 6, row = qp % 6;
    const int f = (1 << shift) / 3;
    for (int j = 0; j < 4; ++j) {
        const int p = t[j], q = t[4 + j], r = t[8 + j], s = t[12 + j];
        const int c[4] = {p + q + r + s, 2 * p + q - r - 2 * s, p - q - r + s, p - 2 * q + 2 * r - s};
        for (int i = 0; i < 4; ++i) {
            const int kind = (i & 1) + (j & 1), m = MF[3 * row + (kind == 2 ? 1 : kind == 1 ? 2 : 0)];
            const int z = (int)(((long)abs(c[i]) * m + f) >> shift);
            level[b * 16 + 4 * i + j] = c[i] < 0 ? -z : z;
        }
    }
}
"""


@hl.kernel(
    problem=dict(blocks=2000, qp=28),
    work=lambda p: hl.Work(flops=200 * p.blocks, bytes=64 * p.blocks),
    awkward=lambda p: [dict(blocks=1, qp=0), dict(blocks=65, qp=51), dict(blocks=33, qp=17)],
    domain=dict(qp="at most 51", block="range"),
)
class h264:
    def inputs(p, rng):
        smooth = rng.integers(-80, 81, (p.blocks, 1, 1)) + rng.integers(-60, 61, (p.blocks, 4, 4))
        return dict(
            block=np.clip(smooth, -255, 255).astype("i2"),
            level=hl.empty((p.blocks, 4, 4), "i2"),
            blocks=np.int32(p.blocks),
            qp=np.int32(p.qp),
        )

    def reference(p, block, level, blocks, qp):
        core = np.array([[1, 1, 1, 1], [2, 1, -1, -2], [1, -1, -1, 1], [1, -2, 2, -1]])
        w = core @ block.astype("i8") @ core.T
        factor = np.array(
            [
                [13107, 5243, 8066],
                [11916, 4660, 7490],
                [10082, 4194, 6554],
                [9362, 3647, 5825],
                [8192, 3355, 5243],
                [7282, 2893, 4559],
            ]
        )
        kind = np.array([0, 1, 0, 1])[:, None] + np.array([0, 1, 0, 1])
        m, shift = factor[p.qp % 6][np.array([0, 2, 1])[kind]], 15 + p.qp // 6
        return dict(level=np.sign(w) * ((np.abs(w) * m + (1 << shift) // 3) >> shift))

    plain = hl.OpenCL(SOURCE, "quantise", global_size=lambda p, c: (p.blocks,))


MUTANTS = [
    ("plain", "rounding", "half instead of a third", "f = (1 << shift) / 3", "f = (1 << shift) / 2"),
    (
        "plain",
        "shift",
        "negative ones are rounded down",
        "const int z = (int)(((long)abs(c[i]) * m + f) >> shift);\n            level[b * 16 + 4 * i + j] = c[i] < 0 ? -z : z;",
        "level[b * 16 + 4 * i + j] = (int)(((long)c[i] * m + (c[i] < 0 ? -f : f)) >> shift);",
    ),
    ("plain", "limit", "the last row of factors is never used", "row = qp % 6", "row = min(qp % 6, 4)"),
    ("plain", "table", "one factor of the fifth row", "8192, 3355, 5243, 7282", "8192, 3355, 5245, 7282"),
    ("plain", "scalar", "the shift of quality 24 to 29", "shift = 15 + qp / 6", "shift = 15 + max(qp / 6, 4)"),
    (
        "plain",
        "index",
        "the last row takes another pixel",
        "t[4 * i + 3] = p - 2 * q + 2 * r - s;",
        "t[4 * i + 3] = p - 2 * q + 2 * r - (i == 3 ? q : s);",
    ),
]
