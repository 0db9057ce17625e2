"""Columns with validity bitmaps: a sum where both are valid, the bitmap of the result, and the number of nulls."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void add(__global const int *a, __global const int *b, __global const uchar *va, __global const uchar *vb, __global int *out,
                  __global uchar *valid, __global int *nulls, const int n) {
    const int w = get_global_id(0);
    if (w * 8 >= n) return;
    uchar bits = va[w] & vb[w];
    if (w * 8 + 8 > n) bits &= (1 << (n & 7)) - 1;
    for (int j = 0; j < min(8, n - w * 8); ++j) {
        const int i = w * 8 + j;
        out[i] = bits >> j & 1 ? a[i] + b[i] : 0;
    }
    valid[w] = bits;
    atomic_add(nulls, min(8, n - w * 8) - popcount(bits));
}
"""


@hl.kernel(
    problem=dict(n=30000),
    work=lambda p: hl.Work(flops=p.n, bytes=13 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=9), dict(n=1024)],
)
class nullsum:
    def inputs(p, rng):
        size = -(-p.n // 8)
        return dict(
            a=rng.integers(-1_000_000, 1_000_000, p.n, dtype="i4"),
            b=rng.integers(-1_000_000, 1_000_000, p.n, dtype="i4"),
            va=rng.integers(0, 256, size, dtype="u1") | rng.integers(0, 256, size, dtype="u1"),
            vb=rng.integers(0, 256, size, dtype="u1") | rng.integers(0, 256, size, dtype="u1"),
            out=hl.empty(p.n, "i4"),
            valid=hl.empty(size, "u1"),
            nulls=np.zeros(1, "i4"),
            n=np.int32(p.n),
        )

    def reference(p, a, b, va, vb, out, valid, nulls, n):
        both = np.unpackbits(va & vb, bitorder="little")[: p.n]
        return dict(
            out=np.where(both, a.astype("i8") + b, 0),
            valid=np.packbits(both, bitorder="little"),
            nulls=nulls + (p.n - both.sum(dtype="i8")),
        )

    plain = hl.OpenCL(SOURCE, "add", global_size=lambda p, c: (-(-p.n // 8),))


MUTANTS = [
    (
        "plain",
        "atomic",
        "the count is not atomic",
        "atomic_add(nulls, min(8, n - w * 8) - popcount(bits));",
        "*nulls += min(8, n - w * 8) - popcount(bits);",
    ),
    (
        "plain",
        "lost-tail",
        "padding bits of the last byte stay",
        "if (w * 8 + 8 > n) bits",
        "if (w * 8 + 8 > n + 7) bits",
    ),
    (
        "plain",
        "limit",
        "padding counts as null",
        "atomic_add(nulls, min(8, n - w * 8) - popcount(bits));",
        "atomic_add(nulls, 8 - popcount(bits));",
    ),
    (
        "plain",
        "uninitialised",
        "null slots are not written",
        "out[i] = bits >> j & 1 ? a[i] + b[i] : 0;",
        "if (bits >> j & 1) out[i] = a[i] + b[i];",
    ),
    ("plain", "order", "bits from the other end", "bits >> j & 1 ? a", "bits >> (7 - j) & 1 ? a"),
    (
        "plain",
        "operator",
        "one valid operand is enough",
        "uchar bits = va[w] & vb[w];",
        "uchar bits = va[w] & (vb[w] | (va[w] & 128));",
    ),
]
