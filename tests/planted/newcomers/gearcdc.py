"""Where content-defined chunks may end: a rolling hash of the last 32 bytes (gear), a place is marked where its low bits are zero."""

import numpy as np

import hotloop as hl

A = """
__kernel void gear(__global const uchar *x, __global const uint *table, __global uchar *mark, const int n, const uint mask) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint h = 0;
    for (int k = max(0, i - 31); k <= i; ++k) h = (h << 1) + table[x[k]];
    mark[i] = (h & mask) == 0;
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=31), dict(n=33), dict(n=257)],
)
class gearcdc:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, p.n, dtype="u1"), table=rng.integers(0, 2**32, 256, dtype="u4"), mark=hl.empty(p.n, "u1"),
            n=p.n, mask=np.uint32(7) << np.uint32(rng.integers(0, 30)),
        )  # fmt: skip

    def reference(p, x, table, mark, n, mask):
        h = np.zeros(p.n, "u4")
        for back in range(32):
            h[back:] += table[x[: p.n - back]] << np.uint32(back) if back < p.n else np.uint32(0)
        return dict(mark=((h & np.uint32(mask)) == 0).astype("u1"))

    a = hl.OpenCL(A, "gear", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "the window has 31 bytes", "i - 31", "i - 30"),
    ("a", "bounds", "the window starts at 1", "max(0, i - 31)", "max(1, i - 31)"),
    ("a", "sign", "bytes index as signed ones where they are large", "table[x[k]]", "table[x[k] & 127]"),
    ("a", "type", "the hash has 16 bits", "uint h = 0", "ushort h = 0"),
    ("a", "scalar", "the mask is a constant", "(h & mask)", "(h & 3u)"),
    ("a", "operator", "hash by exclusive or", "(h << 1) + table", "(h << 1) ^ table"),
]
