"""How many of 500 points of a generator lie in a quarter of a circle, for each seed."""

import numpy as np

import hotloop as hl

A = """
__kernel void mcpi(__global const uint *seed, __global int *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint s = seed[i] | 1;
    int hits = 0;
    for (int j = 0; j < 500; ++j) {
        s ^= s << 13; s ^= s >> 17; s ^= s << 5;
        const ulong a = s >> 16, b = s & 65535;
        hits += a * a + b * b <= 65535ul * 65535ul;
    }
    y[i] = hits;
}
"""


@hl.kernel(
    problem=dict(n=1024),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class mcpi:
    def inputs(p, rng):
        return dict(seed=rng.integers(0, 2**32, p.n, dtype="u4"), y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, seed, y, n):
        s, hits = seed | np.uint32(1), np.zeros(p.n, "i4")
        for _ in range(500):
            s = s ^ (s << np.uint32(13))
            s = s ^ (s >> np.uint32(17))
            s = s ^ (s << np.uint32(5))
            a, b = (s >> np.uint32(16)).astype("i8"), (s & np.uint32(65535)).astype("i8")
            hits += a * a + b * b <= 65535**2
        return dict(y=hits)

    a = hl.OpenCL(A, "mcpi", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "type",
        "squares of 32 bits",
        "const ulong a = s >> 16, b = s & 65535;",
        "const uint a = s >> 16, b = s & 65535;",
    ),
    ("a", "bounds", "one point less", "j < 500", "j < 499"),
    ("a", "value", "the border is out", "<= 65535ul * 65535ul", "< 65535ul * 65000ul"),
    ("a", "init", "seeds as they are", "seed[i] | 1", "seed[i]"),
    ("a", "shift", "15 for 17", "s >> 17", "s >> 15"),
    ("a", "sign", "signed shifts", "uint s = seed[i]", "int s = (int)seed[i]"),
]
