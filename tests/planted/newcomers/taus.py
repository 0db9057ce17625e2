"""Three shift registers combined (L'Ecuyer), 64 steps of each seed."""

import numpy as np

import hotloop as hl

A = """
__kernel void taus(__global const uint *seed, __global uint *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint a = seed[i] | 128, b = seed[i] * 69069u | 128, c = seed[i] * 1103515245u | 128;
    for (int j = 0; j < 64; ++j) {
        a = (a & 4294967294u) << 12 ^ ((a << 13 ^ a) >> 19);
        b = (b & 4294967288u) << 4 ^ ((b << 2 ^ b) >> 25);
        c = (c & 4294967280u) << 17 ^ ((c << 3 ^ c) >> 11);
    }
    y[i] = a ^ b ^ c;
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class taus:
    def inputs(p, rng):
        return dict(seed=rng.integers(0, 2**32, p.n, dtype="u4"), y=hl.empty(p.n, "u4"), n=np.int32(p.n))

    def reference(p, seed, y, n):
        u = np.uint32
        a, b, c = (seed * u(k) | u(128) for k in (1, 69069, 1103515245))
        for _ in range(64):
            a = ((a & u(4294967294)) << u(12)) ^ (((a << u(13)) ^ a) >> u(19))
            b = ((b & u(4294967288)) << u(4)) ^ (((b << u(2)) ^ b) >> u(25))
            c = ((c & u(4294967280)) << u(17)) ^ (((c << u(3)) ^ c) >> u(11))
        return dict(y=a ^ b ^ c)

    a = hl.OpenCL(A, "taus", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "63 steps", "j < 64", "j < 63"),
    ("a", "value", "a mask is one bit wider", "a & 4294967294u", "a & 4294967295u"),
    ("a", "sign", "signed shifts", "uint a = seed[i] | 128, b", "int a = (int)(seed[i] | 128); uint b"),
    ("a", "value", "the third is left out", "a ^ b ^ c", "a ^ b"),
    ("a", "shift", "24 for 25", ">> 25", ">> 24"),
    ("a", "init", "no bit is set", "seed[i] | 128, b", "seed[i], b"),
]
