"""Eight decimal digits in a word: sums of two, with carry out."""

import numpy as np

import hotloop as hl

A = """
__kernel void add(__global const uint *a, __global const uint *b, __global uint *s, __global uchar *carry, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint c = 0, made = 0;
    for (int d = 0; d < 32; d += 4) {
        uint v = (a[i] >> d & 15) + (b[i] >> d & 15) + c;
        c = v > 9;
        if (c) v -= 10;
        made |= v << d;
    }
    s[i] = made;
    carry[i] = c;
}
"""
B = """
__kernel void add(__global const uint *a, __global const uint *b, __global uint *s, __global uchar *carry, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ulong x = (ulong)a[i] + 0x66666666u, t = x + b[i], u = x ^ b[i];
    const ulong none = ~(t ^ u) & 0x111111110ul;
    const ulong r = t - (none >> 2 | none >> 3);
    s[i] = (uint)r;
    carry[i] = t >> 32 & 1;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=13 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=97)],
    domain=dict(a="fixed", b="fixed"),
)
class packed_decimal:
    def inputs(p, rng):
        def digits():
            return (rng.integers(0, 10, (p.n, 8)) << 4 * np.arange(8)).sum(1).astype("u4")

        return dict(a=digits(), b=digits(), s=hl.empty(p.n, "u4"), carry=hl.empty(p.n, "u1"), n=p.n)

    def reference(p, a, b, s, carry, n):
        shift, ten = 4 * np.arange(8), 10 ** np.arange(8)
        wide = [((v.astype("i8")[:, None] >> shift & 15) * ten).sum(1) for v in (a, b)]
        total = wide[0] + wide[1]
        made = ((total[:, None] // ten % 10) << shift).sum(1)
        return dict(s=made, carry=total // 10**8)

    a = hl.OpenCL(A, "add", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "add", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "limit", "ten is a digit", "v > 9", "v > 10"),
    ("a", "carry", "no carry into the last digit", "+ c;\n", "+ (d < 28 ? c : 0);\n"),
    ("b", "mask", "the first digit is not looked at", "0x111111110ul", "0x111111100ul"),
    ("b", "type", "32 bits", "const ulong x = (ulong)a[i] + 0x66666666u", "const uint x = a[i] + 0x66666666u"),
]
