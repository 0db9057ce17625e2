"""Counts of the digits in every block of a radix sort."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uint *x, __global uint *h, const int n, const int shift) {
    const int b = get_global_id(0), d = get_global_id(1);
    if (b * 128 >= n) return;
    uint c = 0;
    for (int i = b * 128; i < min(n, b * 128 + 128); ++i) c += ((x[i] >> shift) & 15u) == (uint)d;
    h[b * 16 + d] = c;
}
"""
ATOMIC = """
__kernel void k(__global const uint *x, __global uint *h, const int n, const int shift) {
    __local uint c[16];
    const int b = get_group_id(0), l = get_local_id(0);
    if (l < 16) c[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < 128 && b * 128 + i < n; i += 32) atomic_inc(&c[(x[b * 128 + i] >> shift) & 15u]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) h[b * 16 + l] = c[l];
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=p.n, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=127), dict(n=129)],
)
class digits:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 1 << 32, p.n, dtype="u4"),
            h=hl.empty((-(-p.n // 128), 16), "uint32"),
            n=np.int32(p.n),
            shift=np.int32(8),
        )

    def reference(p, x, h, n, shift):
        d = (x >> np.uint32(shift)) & 15
        return dict(h=np.array([np.bincount(d[i : i + 128], minlength=16) for i in range(0, p.n, 128)]))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (-(-p.n // 128), 16))
    atomic = hl.OpenCL(ATOMIC, "k", global_size=lambda p, c: (-(-p.n // 128) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "mask", "digits of three bits", "& 15u", "& 7u"),
    ("plain", "shift", "by one bit less", "x[i] >> shift", "x[i] >> (shift - 1)"),
    ("plain", "lost-tail", "the last of a block is left out", "b * 128 + 128); ++i", "b * 128 + 127); ++i"),
    ("plain", "narrow", "counts in 7 bits", "h[b * 16 + d] = c;", "h[b * 16 + d] = c & 127u;"),
    ("plain", "signed", "a signed division for the shift", "(x[i] >> shift)", "(uint)((int)x[i] / (1 << shift))"),
    (
        "atomic",
        "atomics",
        "counted without atomics",
        "atomic_inc(&c[(x[b * 128 + i] >> shift) & 15u])",
        "c[(x[b * 128 + i] >> shift) & 15u]++",
    ),
    ("atomic", "uninitialised", "counters that are not cleared", "if (l < 16) c[l] = 0;", "if (l < 15) c[l] = 0;"),
    ("atomic", "barrier", "no barrier before counting", "c[l] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", "c[l] = 0;"),
    ("atomic", "barrier", "no barrier after counting", "& 15u]);\n    barrier(CLK_LOCAL_MEM_FENCE);", "& 15u]);"),
]
