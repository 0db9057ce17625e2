"""Counts of a four-bit digit in every block of 256 keys, by digit and then by block, as a radix sort begins."""

import numpy as np

import hotloop as hl

GROUP = """
#define W 64
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global const uint *key, __global uint *count, const int n, const int blocks, const int shift) {
    __local uint bins[16];
    const int l = get_local_id(0), g = get_group_id(0);
    if (l < 16) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int q = 0; q < 4; ++q) {
        const int i = g * 256 + q * W + l;
        if (i < n) atomic_inc(&bins[(key[i] >> shift) & 15]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) count[l * blocks + g] = bins[l];
}
"""


@hl.kernel(
    problem=dict(n=10000),
    work=lambda p: hl.Work(flops=p.n, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=255), dict(n=257)],
    domain=dict(shift="range"),
)
class digitcount:
    def inputs(p, rng):
        blocks = -(-p.n // 256)
        return dict(
            key=rng.integers(0, 2**32, p.n, dtype="u4"),
            count=hl.empty((16, blocks), "u4"),
            n=np.int32(p.n),
            blocks=np.int32(blocks),
            shift=np.int32(rng.choice([0, 4, 12, 28])),
        )

    def reference(p, key, count, n, blocks, shift):
        blocks = -(-p.n // 256)
        digit = (key.astype("i8") >> int(shift)) & 15
        found = np.zeros((16, blocks), "i8")
        np.add.at(found, (digit, np.arange(p.n) // 256), 1)
        return dict(count=found)

    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (-(-p.n // 256) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("group", "atomic", "no atomic", "atomic_inc(&bins[(key[i] >> shift) & 15]);", "bins[(key[i] >> shift) & 15]++;"),
    ("group", "uninitialised", "bins are not cleared", "    if (l < 16) bins[l] = 0;\n", ""),
    (
        "group",
        "barrier",
        "no barrier after they are cleared",
        "bins[l] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "bins[l] = 0;",
    ),
    ("group", "barrier", "no barrier before they are stored", "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n", "    }\n"),
    ("group", "stride", "stored by block", "count[l * blocks + g]", "count[g * 16 + l]"),
    ("group", "scalar", "the lowest digit always", "(key[i] >> shift) & 15", "key[i] & 15"),
]
