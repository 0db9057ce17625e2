"""Counts of even and odd values of each class, two of 16 bits in a word, by atomics."""

import numpy as np

import hotloop as hl

A = """
__kernel void count(__global const int *x, __global uint *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    atomic_add(&y[(uint)x[i] % 61u], x[i] & 1 ? 0x10000u : 1u);
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
)
class twocounts:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 2**31, p.n, dtype="i4"), y=np.zeros(61, "u4"), n=p.n)

    def reference(p, x, y, n):
        even, odd = (np.bincount(x[x % 2 == k] % 61, minlength=61) for k in (0, 1))
        return dict(y=(y.astype("i8") + even + (odd << 16)) % 2**32)

    a = hl.OpenCL(A, "count", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "atomic",
        "odd ones without an atomic",
        "atomic_add(&y[(uint)x[i] % 61u], x[i] & 1 ? 0x10000u : 1u);",
        "if (x[i] & 1) y[(uint)x[i] % 61u] += 0x10000u; else atomic_inc(&y[(uint)x[i] % 61u]);",
    ),
    (
        "a",
        "atomic",
        "halves of a word as numbers of their own",
        "atomic_add(&y[(uint)x[i] % 61u], x[i] & 1 ? 0x10000u : 1u);",
        "((__global ushort *)y)[2 * ((uint)x[i] % 61u) + (x[i] & 1)]++;",
    ),
    ("a", "bounds", "one class too many", "% 61u]", "% 62u]"),
    (
        "a",
        "race",
        "read, then exchanged where it is still the same, once only",
        "atomic_add(&y[(uint)x[i] % 61u], x[i] & 1 ? 0x10000u : 1u);",
        "const uint old = y[(uint)x[i] % 61u]; atomic_cmpxchg(&y[(uint)x[i] % 61u], old, old + (x[i] & 1 ? 0x10000u : 1u));",
    ),
]
