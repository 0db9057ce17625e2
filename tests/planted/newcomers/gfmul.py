"""Products of bytes in the field of AES, by doubling and through logarithms."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uchar *a, __global const uchar *b, __global uchar *o, const int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    uint x = a[i], y = b[i], s = 0;
    for (int j = 0; j < 8; ++j) { if (y >> j & 1) s ^= x; x = x << 1 ^ (x & 128 ? 0x11b : 0); }
    o[i] = s;
}
"""
B = """
__kernel void k(__global const uchar *a, __global const uchar *b, __global uchar *o, const int n) {
    __local uchar e[256], l[256];
    int t = get_local_id(0), i = get_global_id(0);
    if (t == 0) { uint x = 1; l[0] = 0; for (int j = 0; j < 255; ++j) { e[j] = x; l[x] = j; x ^= x << 1 ^ (x & 128 ? 0x11b : 0); } e[255] = 1; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    o[i] = a[i] && b[i] ? e[(l[a[i]] + l[b[i]]) % 255] : 0;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=30 * p.n, bytes=3 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=333)],
)
class gfmul:
    def inputs(p, rng):
        return dict(
            a=rng.integers(0, 256, p.n, dtype="u1"),
            b=rng.integers(0, 256, p.n, dtype="u1"),
            o=hl.empty(p.n, "uint8"),
            n=p.n,
        )

    def reference(p, a, b, o, n):
        x, y, s = a.astype("i4"), b.astype("i4"), np.zeros(p.n, "i4")
        for j in range(8):
            s ^= np.where(y >> j & 1, x, 0)
            x = (x << 1) ^ np.where(x & 128, 0x11B, 0)
        return dict(o=s.astype("u1"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "constant", "another polynomial", "0x11b", "0x11d"),
    ("a", "loop", "seven bits", "j < 8", "j < 7"),
    ("a", "bits", "the carry is looked for too late", "x & 128 ?", "x & 256 ?"),
    ("b", "case", "zero times anything is a power", "a[i] && b[i] ?", "a[i] ?"),
    ("b", "limit", "sums of logarithms are not reduced", "% 255]", "& 255]"),
    ("b", "race", "no barrier behind the table", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("b", "limit", "the generator is two", "x ^= x << 1 ^", "x = x << 1 ^"),
]
