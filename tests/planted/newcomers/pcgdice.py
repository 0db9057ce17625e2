"""PCG32 streams: whole numbers below a bound without bias (a draw below the threshold is drawn again)."""

import numpy as np

import hotloop as hl

A = """
uint next(ulong *s) {
    ulong old = *s;
    *s = old * 6364136223846793005ul + 1442695040888963407ul;
    uint x = (uint)(((old >> 18) ^ old) >> 27), r = old >> 59;
    return (x >> r) | (x << ((-r) & 31));
}
__kernel void k(__global const ulong *seed, __global const uint *bound, __global uint *o, int n, int draws) {
    int i = get_global_id(0);
    if (i >= n) return;
    ulong s = seed[i];
    uint b = bound[i], t = -b % b;
    for (int d = 0; d < draws; ++d) {
        uint v;
        do v = next(&s); while (v < t);
        o[i * draws + d] = v % b;
    }
}
"""
B = """
__kernel void k(__global const ulong *seed, __global const uint *bound, __global uint *o, int n, int draws) {
    int i = get_global_id(0);
    if (i >= n) return;
    ulong s = seed[i];
    const uint b = bound[i];
    const uint t = (uint)((1ul << 32) % b);
    int d = 0;
    while (d < draws) {
        const uint v = rotate((uint)((s ^ s >> 18) >> 27), (uint)(32 - (s >> 59)));
        s = s * 6364136223846793005ul + 1442695040888963407ul;
        if (v >= t) o[i * draws + d++] = v - v / b * b;
    }
}
"""


@hl.kernel(
    problem=dict(n=500, draws=8),
    work=lambda p: hl.Work(flops=10 * p.n * p.draws, bytes=4 * p.n * p.draws),
    domain=dict(bound="range"),
)
class pcgdice:
    def inputs(p, rng):
        return dict(
            seed=rng.integers(0, 2**64, p.n, dtype="u8"),
            bound=rng.integers(1, 2**32, p.n, dtype="u4"),
            o=hl.empty((p.n, p.draws), "uint32"),
            n=p.n,
            draws=p.draws,
        )

    def reference(p, seed, bound, o, n, draws):
        out = np.zeros((n, draws), "u4")
        for i in range(n):
            s, b = int(seed[i]), int(bound[i])
            t = 2**32 % b
            d = 0
            while d < draws:
                x = ((s >> 18 ^ s) >> 27) & 0xFFFFFFFF
                r = s >> 59
                s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
                v = (x >> r | x << (-r & 31)) & 0xFFFFFFFF
                if v >= t:
                    out[i, d] = v % b
                    d += 1
        return dict(o=out)

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bias", "no threshold", "while (v < t)", "while (0)"),
    ("a", "limit", "the threshold itself is drawn again", "while (v < t)", "while (v <= t)"),
    ("a", "shift", "rotation by 31 - r", "(-r) & 31", "(31 - r) & 31"),
    (
        "a",
        "narrow",
        "the state's product in 32 bits",
        "old * 6364136223846793005ul",
        "(ulong)(uint)old * 6364136223846793005ul",
    ),
    (
        "b",
        "order",
        "the new state is put out",
        "    const uint v = rotate((uint)((s ^ s >> 18)",
        "    const uint v = rotate((uint)((s ^ s >> 17)",
    ),
    ("b", "last", "one draw too few", "while (d < draws)", "while (d < draws - 1)"),
    ("b", "exact", "quotients in float", "v / b * b", "(uint)((float)v / (float)b) * b"),
]
