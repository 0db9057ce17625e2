"""Numbers of 32 bits in another order: four rounds on their halves, by keys."""

import numpy as np

import hotloop as hl

A = """
__kernel void feistel(__global const uint *x, __global const uint *key, __global uint *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint l = x[i] >> 16, r = x[i] & 65535;
    for (int j = 0; j < 4; ++j) {
        const uint f = ((r * 40503u + key[j]) ^ (r >> 3)) & 65535, t = l ^ f;
        l = r; r = t;
    }
    y[i] = r << 16 | l;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class feistel:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 2**32, p.n, dtype="u4"),
            key=rng.integers(0, 2**32, 4, dtype="u4"),
            y=hl.empty(p.n, "u4"),
            n=np.int32(p.n),
        )

    def reference(p, x, key, y, n):
        left, right = (x >> np.uint32(16)).astype("u8"), (x & np.uint32(65535)).astype("u8")
        for k in key.astype("u8"):
            f = ((right * np.uint64(40503) + k) ^ (right >> np.uint64(3))) & np.uint64(65535)
            left, right = right, left ^ f
        return dict(y=(right << np.uint64(16) | left).astype("u4"))

    a = hl.OpenCL(A, "feistel", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "three rounds", "j < 4", "j < 3"),
    ("a", "index", "the first key always", "key[j]", "key[0]"),
    ("a", "order", "halves are not exchanged back", "r << 16 | l", "l << 16 | r"),
    ("a", "value", "no mask", ") & 65535, t", ") & 65534, t"),
    ("a", "shift", "two for three", "r >> 3", "r >> 2"),
    ("a", "type", "keys of 16 bits, one bit less", "key[j])", "(key[j] & 32767))"),
]
