"""IMA ADPCM: blocks of nibbles to samples, each block with a first sample and a first index."""

import numpy as np

import hotloop as hl

STEPS = [
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    16,
    17,
    19,
    21,
    23,
    25,
    28,
    31,
    34,
    37,
    41,
    45,
    50,
    55,
    60,
    66,
    73,
    80,
    88,
    97,
    107,
    118,
    130,
    143,
    157,
    173,
    190,
    209,
    230,
    253,
    279,
    307,
    337,
    371,
    408,
    449,
    494,
    544,
    598,
    658,
    724,
    796,
    876,
    963,
    1060,
    1166,
    1282,
    1411,
    1552,
    1707,
    1878,
    2066,
    2272,
    2499,
    2749,
    3024,
    3327,
    3660,
    4026,
    4428,
    4871,
    5358,
    5894,
    6484,
    7132,
    7845,
    8630,
    9493,
    10442,
    11487,
    12635,
    13899,
    15289,
    16818,
    18500,
    20350,
    22385,
    24623,
    27086,
    29794,
    32767,
]

A = """
__constant int MOVE[8] = {-1, -1, -1, -1, 2, 4, 6, 8};
__kernel void decode(__global const uchar *d, __global const short *first, __global const uchar *index, __constant int *steps,
                     __global short *o, const int blocks, const int bytes) {
    const int b = get_global_id(0);
    if (b >= blocks) return;
    int value = first[b], at = index[b];
    for (int i = 0; i < 2 * bytes; ++i) {
        const int nibble = d[b * bytes + i / 2] >> (i & 1 ? 4 : 0) & 15;
        const int step = steps[at];
        int diff = step >> 3;
        if (nibble & 1) diff += step >> 2;
        if (nibble & 2) diff += step >> 1;
        if (nibble & 4) diff += step;
        value = clamp(nibble & 8 ? value - diff : value + diff, -32768, 32767);
        at = clamp(at + MOVE[nibble & 7], 0, 88);
        o[b * 2 * bytes + i] = value;
    }
}
"""


@hl.kernel(
    problem=dict(blocks=64, bytes=60),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.blocks * p.bytes),
    awkward=lambda p: [dict(blocks=1, bytes=1), dict(blocks=13, bytes=33)],
)
class adpcm:
    def inputs(p, rng):
        return dict(
            d=rng.integers(0, 256, (p.blocks, p.bytes), dtype="u1"),
            first=rng.integers(-32768, 32768, p.blocks, dtype="i2"),
            index=rng.integers(0, 89, p.blocks, dtype="u1"),
            steps=np.array(STEPS, "i4"),
            o=hl.empty((p.blocks, 2 * p.bytes), "i2"),
            blocks=p.blocks,
            length=p.bytes,
        )

    def reference(p, d, first, index, steps, o, blocks, length):
        move = np.array([-1, -1, -1, -1, 2, 4, 6, 8])
        value, at = first.astype("i8"), index.astype("i8")
        made = np.zeros((blocks, 2 * length), "i8")
        for i in range(2 * length):
            nibble = (d[:, i // 2].astype("i8") >> 4 * (i & 1)) & 15
            step = steps[at].astype("i8")
            diff = (step >> 3) + (nibble & 1) * (step >> 2) + (nibble >> 1 & 1) * (step >> 1) + (nibble >> 2 & 1) * step
            value = np.clip(np.where(nibble & 8, value - diff, value + diff), -32768, 32767)
            at = np.clip(at + move[nibble & 7], 0, 88)
            made[:, i] = value
        return dict(o=made)

    a = hl.OpenCL(A, "decode", global_size=lambda p, c: (p.blocks,))


MUTANTS = [
    ("a", "clamp", "the index ends at 87", "0, 88)", "0, 87)"),
    (
        "a",
        "clamp",
        "values are cut to 16 bits instead of clamped",
        "value = clamp(nibble & 8 ? value - diff : value + diff, -32768, 32767);",
        "value = (short)(nibble & 8 ? value - diff : value + diff);",
    ),
    ("a", "order", "high nibble first", "i & 1 ? 4 : 0", "i & 1 ? 0 : 4"),
    ("a", "rounding", "an eighth is not added", "int diff = step >> 3;", "int diff = 0;"),
    ("a", "clamp", "values end at -32767", "-32768, 32767", "-32767, 32767"),
]
