"""XTEA of 64-bit blocks, 32 rounds, one key for all."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void xtea(__global const uint *in, __global const uint *key, __global uint *out, const int blocks) {
    const int b = get_global_id(0);
    if (b >= blocks) return;
    uint v0 = in[2 * b], v1 = in[2 * b + 1], sum = 0;
    for (int i = 0; i < 32; ++i) {
        v0 += (((v1 << 4) ^ (v1 >> 5)) + v1) ^ (sum + key[sum & 3]);
        sum += 0x9E3779B9u;
        v1 += (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (sum + key[(sum >> 11) & 3]);
    }
    out[2 * b] = v0;
    out[2 * b + 1] = v1;
}
"""


@hl.kernel(
    problem=dict(blocks=20000),
    work=lambda p: hl.Work(flops=500 * p.blocks, bytes=16 * p.blocks),
    awkward=lambda p: [dict(blocks=1), dict(blocks=63), dict(blocks=1025)],
)
class xtea:
    def inputs(p, rng):
        return dict(
            data=rng.integers(0, 1 << 32, (p.blocks, 2), dtype="u4"),
            key=rng.integers(0, 1 << 32, 4, dtype="u4"),
            out=hl.empty((p.blocks, 2), "u4"),
            blocks=np.int32(p.blocks),
        )

    def reference(p, data, key, out, blocks):
        mask = (1 << 32) - 1
        v0, v1, k = data[:, 0].astype("u8"), data[:, 1].astype("u8"), [int(x) for x in key]
        total = 0
        for _ in range(32):
            v0 = (v0 + ((((v1 << 4) & mask ^ (v1 >> 5)) + v1) & mask ^ np.uint64((total + k[total & 3]) & mask))) & mask
            total = (total + 0x9E3779B9) & mask
            v1 = (
                v1 + ((((v0 << 4) & mask ^ (v0 >> 5)) + v0) & mask ^ np.uint64((total + k[total >> 11 & 3]) & mask))
            ) & mask
        return dict(out=np.stack([v0, v1], axis=1))

    plain = hl.OpenCL(SOURCE, "xtea", global_size=lambda p, c: (p.blocks,))


MUTANTS = [
    ("plain", "shift", "a shift that keeps the sign", "(v1 >> 5)", "(uint)((int)v1 >> 5)"),
    (
        "plain",
        "precedence",
        "exclusive or after the sum",
        "((v0 << 4) ^ (v0 >> 5)) + v0)",
        "(v0 << 4) ^ ((v0 >> 5) + v0))",
    ),
    ("plain", "limit", "one round less", "i < 32;", "i < 31;"),
    ("plain", "index", "the key of the wrong bits", "(sum >> 11) & 3", "(sum >> 10) & 3"),
    (
        "plain",
        "order",
        "the sum moves at the end",
        "        sum += 0x9E3779B9u;\n        v1 += (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (sum + key[(sum >> 11) & 3]);\n",
        "        v1 += (((v0 << 4) ^ (v0 >> 5)) + v0) ^ (sum + key[(sum >> 11) & 3]);\n        sum += 0x9E3779B9u;\n",
    ),
    (
        "plain",
        "lost-tail",
        "the last block's half is not written",
        "    out[2 * b + 1] = v1;",
        "    if (b < blocks - 1 || blocks == 1) out[2 * b + 1] = v1;",
    ),
]
