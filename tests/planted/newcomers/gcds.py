"""Greatest common divisors of pairs of unsigned numbers; of zero and a number that number."""

import numpy as np

import hotloop as hl

EUCLID = """
__kernel void k(__global const uint *a, __global const uint *b, __global uint *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint x = a[i], y = b[i];
    while (y) { const uint r = x % y; x = y; y = r; }
    o[i] = x;
}
"""
BINARY = """
__kernel void k(__global const uint *a, __global const uint *b, __global uint *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint x = a[i], y = b[i];
    if (x == 0 || y == 0) { o[i] = x | y; return; }
    const uint twos = 31 - clz((x | y) & -(x | y));
    x >>= 31 - clz(x & -x);
    do {
        y >>= 31 - clz(y & -y);
        if (x > y) { const uint t = x; x = y; y = t; }
        y -= x;
    } while (y);
    o[i] = x << twos;
}
"""


@hl.kernel(
    problem=dict(n=8000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=3), dict(n=501)],
)
class gcds:
    def inputs(p, rng):
        def some():
            return (rng.integers(0, 1 << 32, p.n) >> rng.integers(0, 32, p.n)).astype("u4")

        return dict(a=some(), b=some(), o=hl.empty(p.n, "u4"), n=np.int32(p.n))

    def reference(p, a, b, o, n):
        return dict(o=np.gcd(a.astype("i8"), b.astype("i8")))

    euclid = hl.OpenCL(EUCLID, "k", global_size=lambda p, c: (p.n,))
    binary = hl.OpenCL(BINARY, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "euclid",
        "type",
        "signed remainders",
        "uint x = a[i], y = b[i];\n    while (y) { const uint r = x % y;",
        "int x = a[i], y = b[i];\n    while (y) { const int r = x % y;",
    ),
    ("euclid", "zero", "nothing where one is zero", "o[i] = x;", "o[i] = a[i] && b[i] ? x : 0;"),
    ("binary", "zero", "zero and zero loops or is one", "o[i] = x | y; return;", "o[i] = max(x | y, 1u); return;"),
    ("binary", "scalar", "common twos are lost", "x << twos", "x"),
]
