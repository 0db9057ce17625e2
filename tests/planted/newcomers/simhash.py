"""Sketches of documents: each bit is the sign of the weighted votes of the document's words."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void sim(__global const int *off, __global const uint *h, __global const int *w, __global uint *o) {
    __local uint bits;
    const int l = get_local_id(0), d = get_group_id(0);
    if (l == 0) bits = 0;
    int v = 0;
    for (int k = off[d]; k < off[d + 1]; ++k) v += (h[k] >> l & 1) ? w[k] : -w[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v > 0) atomic_or(&bits, 1u << l);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) o[d] = bits;
}
"""


@hl.kernel(
    problem=dict(n=400, words=9000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.words),
    awkward=lambda p: [dict(n=1, words=1), dict(n=9, words=40), dict(n=50, words=60)],
)
class simhash:
    def inputs(p, rng):
        return dict(
            off=np.sort(np.r_[0, rng.integers(0, p.words + 1, p.n - 1), p.words]).astype("i4"),
            h=rng.integers(0, 2**32, p.words, dtype="u4"),
            w=rng.integers(1, 5, p.words, dtype="i4"),
            o=hl.empty(p.n, "u4"),
        )

    def reference(p, off, h, w, o):
        votes = np.where(h[:, None] >> np.arange(32, dtype="u4") & 1, 1, -1) * w[:, None].astype("i8")
        sums = np.concatenate([np.zeros((1, 32), "i8"), np.cumsum(votes, 0)])
        v = sums[off[1:]] - sums[off[:-1]]
        return dict(o=((v > 0).astype("u8") << np.arange(32, dtype="u8")).sum(1))

    a = hl.OpenCL(A, "sim", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "ties", "a tie sets the bit", "v > 0)", "v >= 0)"),
    ("a", "uninitialised", "the bits are not cleared", "    if (l == 0) bits = 0;\n", ""),
    (
        "a",
        "barrier",
        "no barrier before the sketch is read",
        "1u << l);\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "1u << l);",
    ),
    ("a", "atomic", "bits set without an atomic", "atomic_or(&bits, 1u << l)", "bits |= 1u << l"),
    ("a", "narrow", "votes in 8 bits", "int v = 0;", "char v = 0;"),
    (
        "a",
        "tail",
        "the last word of the last document is not heard",
        "k < off[d + 1]; ++k",
        "k < off[d + 1] - (d + 1 == get_num_groups(0)); ++k",
    ),
]
