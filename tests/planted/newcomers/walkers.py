"""Where walkers end on a torus of 101 x 103 after 200 steps that a hash of their number and step tells."""

import numpy as np

import hotloop as hl

A = """
__kernel void walkers(__global int *y, const int n, const uint key) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int a = 0, b = 0;
    for (uint s = 0; s < 200; ++s) {
        uint h = (uint)i * 2654435761u ^ s * 2246822519u ^ key;
        h ^= h >> 15; h *= 3266489917u; h ^= h >> 16;
        a += (h & 3) == 0 ? 1 : (h & 3) == 1 ? 100 : 0;
        b += (h & 3) == 2 ? 1 : (h & 3) == 3 ? 102 : 0;
        a %= 101; b %= 103;
    }
    y[i] = a * 103 + b;
}
"""


@hl.kernel(
    problem=dict(n=2000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class walkers:
    def inputs(p, rng):
        return dict(y=hl.empty(p.n, "i4"), n=np.int32(p.n), key=rng.integers(0, 2**32, dtype="u4"))

    def reference(p, y, n, key):
        i = np.arange(p.n, dtype="u4")
        a, b = np.zeros(p.n, "i8"), np.zeros(p.n, "i8")
        for s in range(200):
            h = (i * np.uint32(2654435761)) ^ np.uint32(s * 2246822519 % 2**32) ^ np.uint32(key)
            h = h ^ (h >> np.uint32(15))
            h = h * np.uint32(3266489917)
            h = (h ^ (h >> np.uint32(16))) & np.uint32(3)
            a = (a + np.select([h == 0, h == 1], [1, 100], 0)) % 101
            b = (b + np.select([h == 2, h == 3], [1, 102], 0)) % 103
        return dict(y=(a * 103 + b).astype("i4"))

    a = hl.OpenCL(A, "walkers", global_size=lambda p, c: (p.n,))


MUTANTS = []
