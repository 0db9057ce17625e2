"""Sketches of sets: the least of sixteen hashes over each set's members, by a group for each set."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void minhash(__global const uint *member, __global const int *begin, __global const uint *mul, __global uint *sketch) {
    __local uint least[64];
    const int l = get_local_id(0), s = get_group_id(0), end = begin[s + 1];
    for (int h = 0; h < 16; ++h) {
        uint m = 0xFFFFFFFFu;
        for (int k = begin[s] + l; k < end; k += 64) {
            uint v = member[k] * mul[2 * h] + mul[2 * h + 1];
            v ^= v >> 15;
            m = min(m, v);
        }
        least[l] = m;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int span = 32; span > 0; span >>= 1) {
            if (l < span) least[l] = min(least[l], least[l + span]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 0) sketch[16 * s + h] = least[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(sets=40, total=9000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.total + 64 * p.sets),
    awkward=lambda p: [dict(sets=1, total=1), dict(sets=3, total=65), dict(sets=7, total=500)],
)
class minhash:
    def inputs(p, rng):
        cuts = np.sort(rng.integers(0, p.total + 1, p.sets - 1))
        return dict(
            member=rng.integers(0, 2**32, p.total, dtype="u4"),
            begin=np.r_[0, cuts, p.total].astype("i4"),
            mul=rng.integers(0, 2**31, (16, 2), dtype="u4") * 2 + 1,
            sketch=hl.empty((p.sets, 16), "u4"),
        )

    def reference(p, member, begin, mul, sketch):
        v = (member[None].astype("u8") * mul[:, :1].astype("u8") + mul[:, 1:].astype("u8")) & 0xFFFFFFFF
        v ^= v >> 15
        made = np.full((p.sets, 16), 0xFFFFFFFF, "u4")
        for s in range(p.sets):
            if begin[s] < begin[s + 1]:
                made[s] = v[:, begin[s] : begin[s + 1]].min(1)
        return dict(sketch=made)

    a = hl.OpenCL(A, "minhash", global_size=lambda p, c: (64 * p.sets,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "barrier",
        "none between halves",
        "least[l + span]);\n            barrier(CLK_LOCAL_MEM_FENCE);",
        "least[l + span]);",
    ),
    ("a", "barrier", "none before the tree", "least[l] = m;\n        barrier(CLK_LOCAL_MEM_FENCE);", "least[l] = m;"),
    ("a", "sign", "compared with signs", "m = min(m, v);", "m = (uint)min((int)m, (int)v);"),
    ("a", "start", "empty sets have zeros", "uint m = 0xFFFFFFFFu;", "uint m = begin[s] < end ? 0xFFFFFFFFu : 0u;"),
    ("a", "lost", "the tree ends early", "span > 0;", "span > 1;"),
    ("a", "bounds", "one member of the next set", "k < end; k", "k <= end; k"),
    ("a", "shift", "another shift", "v >> 15", "v >> 16"),
]
