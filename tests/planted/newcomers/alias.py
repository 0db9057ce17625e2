"""Draws from a distribution by Vose's alias table, one 64-bit number each."""

import numpy as np

import hotloop as hl

A = """
__kernel void al(__global const ulong *u, __global const uint *cut, __global const int *other, __global int *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int col = mul_hi((uint)(u[i] >> 32), (uint)m);
    o[i] = (uint)u[i] < cut[col] ? col : other[col];
}
"""


@hl.kernel(
    problem=dict(n=5000, m=100),
    work=lambda p: hl.Work(flops=0, bytes=4 * 4 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=77, m=5), dict(n=256, m=64)],
    domain=dict(other="indices"),
)
class alias:
    def inputs(p, rng):
        return dict(
            u=rng.integers(0, 2**64, p.n, dtype="u8"),
            cut=rng.integers(0, 2**32, p.m, dtype="u4"),
            other=rng.integers(0, p.m, p.m, dtype="i4"),
            o=hl.empty(p.n, "i4"),
            n=p.n,
            m=p.m,
        )

    def reference(p, u, cut, other, o, n, m):
        col = ((u >> np.uint64(32)) * np.uint64(p.m) >> np.uint64(32)).astype("i8")
        return dict(o=np.where((u & np.uint64(0xFFFFFFFF)) < cut[col], col, other[col]))

    a = hl.OpenCL(A, "al", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "sign",
        "the column by signed numbers",
        "mul_hi((uint)(u[i] >> 32), (uint)m)",
        "mul_hi((int)(u[i] >> 32), m) & 0x7fffffff",
    ),
    ("a", "limit", "a draw at the cut is below it", "(uint)u[i] < cut[col]", "(uint)u[i] <= cut[col]"),
    ("a", "sign", "the cut compared as signed", "(uint)u[i] < cut[col]", "(int)u[i] < (int)cut[col]"),
    ("a", "narrow", "the lower bits in 16 bits", "(uint)u[i] < cut[col]", "(ushort)u[i] < cut[col] >> 16"),
    ("a", "index", "the alias of the neighbour", "other[col]", "other[col + 1 < m ? col + 1 : col]"),
    ("a", "bounds", "the column behind the last is drawn", "(uint)m);", "(uint)m + 1);"),
]
