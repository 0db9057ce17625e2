"""Bytes through a table of 256 that is a permutation, then in another order within their group of 16."""

import numpy as np

import hotloop as hl

A = """
__kernel void sbox(__global const uchar *x, __global const uchar *s, __global uchar *y, const int n) {
    const int i = get_global_id(0);
    if (i >= 16 * n) return;
    const int g = i & ~15, c = i & 15;
    y[i] = s[x[g + (c * 5 & 15)]];
}
"""


@hl.kernel(
    problem=dict(n=2000),
    work=lambda p: hl.Work(flops=0, bytes=32 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=17)],
)
class sbox:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.n, 16), dtype="u1"),
            s=rng.permutation(256).astype("u1"),
            y=hl.empty((p.n, 16), "u1"),
            n=np.int32(p.n),
        )

    def reference(p, x, s, y, n):
        return dict(y=s[x[:, np.arange(16) * 5 % 16]])

    a = hl.OpenCL(A, "sbox", global_size=lambda p, c: (16 * p.n,))


MUTANTS = []
