"""A shuffle of 24 places for each seed, by a linear congruential generator."""

import numpy as np

import hotloop as hl

A = """
__kernel void fisher(__global const uint *seed, __global uchar *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint s = seed[i];
    uchar p[24];
    for (int j = 0; j < 24; ++j) p[j] = j;
    for (int j = 23; j > 0; --j) {
        s = s * 1664525u + 1013904223u;
        const int k = (int)(((ulong)s * (j + 1)) >> 32);
        const uchar t = p[j]; p[j] = p[k]; p[k] = t;
    }
    for (int j = 0; j < 24; ++j) y[i * 24 + j] = p[j];
}
"""


@hl.kernel(
    problem=dict(n=1500),
    work=lambda p: hl.Work(flops=0, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class fisher:
    def inputs(p, rng):
        return dict(seed=rng.integers(0, 2**32, p.n, dtype="u4"), y=hl.empty((p.n, 24), "u1"), n=np.int32(p.n))

    def reference(p, seed, y, n):
        s, v, g = seed.astype("u8"), np.tile(np.arange(24, dtype="u1"), (p.n, 1)), np.arange(p.n)
        for j in range(23, 0, -1):
            s = (s * np.uint64(1664525) + np.uint64(1013904223)) & np.uint64(2**32 - 1)
            k = ((s * np.uint64(j + 1)) >> np.uint64(32)).astype("i8")
            v[g, j], v[g, k] = v[g, k].copy(), v[g, j].copy()
        return dict(y=v)

    a = hl.OpenCL(A, "fisher", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "value", "one less", "(j + 1)) >> 32", "j) >> 32"),
    ("a", "bounds", "the last exchange is left out", "j > 0; --j", "j > 1; --j"),
    ("a", "type", "products of 32 bits", "(ulong)s * (j + 1)", "s * (ulong)j + j"),
    ("a", "value", "no increment", " + 1013904223u", ""),
    (
        "a",
        "index",
        "places that are the other way round",
        "const uchar t = p[j]; p[j] = p[k]; p[k] = t;",
        "const uchar t = p[j]; p[j] = p[k]; p[j] = t;",
    ),
    ("a", "shift", "31 bits", ">> 32)", ">> 31 & 31)"),
]
