"""Bit stuffing of frames: a zero after five ones; each byte is one bit, unused places at the end are 255."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void stuff(__global const uchar *bit, __global uchar *out, __global int *length, const int frames, const int m) {
    const int f = get_global_id(0);
    if (f >= frames) return;
    const int room = m + m / 5;
    __global uchar *o = out + f * room;
    int at = 0, ones = 0;
    for (int i = 0; i < m; ++i) {
        const uchar b = bit[f * m + i];
        o[at++] = b;
        ones = b ? ones + 1 : 0;
        if (ones == 5) {
            o[at++] = 0;
            ones = 0;
        }
    }
    length[f] = at;
    for (; at < room; ++at) o[at] = 255;
}
"""


@hl.kernel(
    problem=dict(frames=200, m=256),
    work=lambda p: hl.Work(flops=3 * p.frames * p.m, bytes=3 * p.frames * p.m),
    awkward=lambda p: [dict(frames=1, m=5), dict(frames=3, m=7), dict(frames=65, m=33)],
    domain=dict(bit="range"),
)
class stuffing:
    def inputs(p, rng):
        room = p.m + p.m // 5
        return dict(
            bit=(rng.random((p.frames, p.m)) < 0.7).astype("u1"),
            out=hl.empty((p.frames, room), "u1"),
            length=hl.empty(p.frames, "i4"),
            frames=np.int32(p.frames),
            m=np.int32(p.m),
        )

    def reference(p, bit, out, length, frames, m):
        room = p.m + p.m // 5
        lines = ["".join(map(str, row)).replace("11111", "111110") for row in bit.tolist()]
        rows = [[int(c) for c in line] + [255] * (room - len(line)) for line in lines]
        return dict(out=np.array(rows, "u1"), length=np.array([len(line) for line in lines], "i4"))

    plain = hl.OpenCL(SOURCE, "stuff", global_size=lambda p, c: (p.frames,))


MUTANTS = [
    ("plain", "limit", "after six ones", "ones == 5", "ones == 6"),
    ("plain", "lost-tail", "no zero after the last bit", "if (ones == 5) {", "if (ones == 5 && i < m - 1) {"),
    (
        "plain",
        "state",
        "ones of the frame before count",
        "int at = 0, ones = 0;",
        "int at = 0, ones = f > 0 && bit[f * m - 1];",
    ),
    (
        "plain",
        "off-by-one",
        "the length without the last zero",
        "length[f] = at;",
        "length[f] = at - (ones == 0 && bit[f * m + m - 1]);",
    ),
]
