"""Sums of 256-bit numbers in eight words, least first, and what is carried out."""

import numpy as np

import hotloop as hl

A = """
__kernel void bigadd(__global const uint *a, __global const uint *b, __global uint *s, __global uchar *out, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint8 p = vload8(i, a), q = vload8(i, b);
    uint x[8], y[8];
    vstore8(p, 0, x);
    vstore8(q, 0, y);
    uint carry = 0;
    for (int k = 0; k < 8; ++k) {
        const ulong t = (ulong)x[k] + y[k] + carry;
        x[k] = (uint)t;
        carry = (uint)(t >> 32);
    }
    vstore8(vload8(0, x), i, s);
    out[i] = carry;
}
"""


@hl.kernel(
    problem=dict(n=1500),
    work=lambda p: hl.Work(flops=0, bytes=4 * 30 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=333)],
    domain=dict(a="any", b="any"),
)
class bigadd:
    def inputs(p, rng):
        a = rng.integers(0, 2**32, (p.n, 8), dtype="u4")
        b = np.where(rng.random((p.n, 8)) < 0.5, ~a, rng.integers(0, 2**32, (p.n, 8), dtype="u4")).astype("u4")
        return dict(a=a, b=b, s=hl.empty((p.n, 8), "u4"), out=hl.empty(p.n, "u1"), n=p.n)

    def reference(p, a, b, s, out, n):
        r, c = [], np.zeros(p.n, "u8")
        for k in range(8):
            t = a[:, k].astype("u8") + b[:, k] + c
            r.append(t & np.uint64(0xFFFFFFFF))
            c = t >> np.uint64(32)
        return dict(s=np.stack(r, 1), out=c)

    a = hl.OpenCL(A, "bigadd", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "carry", "carried where the sum is less than a", "carry = (uint)(t >> 32);", "carry = (uint)t < y[k];"),
    ("a", "shift", "a signed shift of the carry", "carry = (uint)(t >> 32);", "carry = (uint)((int)t >> 31) & 1;"),
    ("a", "uninitialised", "the carry has no start", "uint carry = 0;", "uint carry;"),
    ("a", "order", "the most significant word first", "(ulong)x[k] + y[k]", "(ulong)x[7 - k] + y[7 - k]"),
]
