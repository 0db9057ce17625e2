"""Inverses modulo a prime, by Euclid's algorithm."""

import numpy as np

import hotloop as hl

A = """
__kernel void modinv(__global const uint *x, __global uint *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long a = x[i] % 998244353u, b = 998244353, u = 1, v = 0;
    while (a > 0) { const long q = b / a, r = b - q * a, t = v - q * u; b = a; a = r; v = u; u = t; }
    y[i] = x[i] % 998244353u ? (uint)(v < 0 ? v + 998244353 : v) : 0;
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class modinv:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 2**32, p.n, dtype="u4"), y=hl.empty(p.n, "u4"), n=np.int32(p.n))

    def reference(p, x, y, n):
        v, found, e = x.astype("i8") % 998244353, np.ones(p.n, "i8"), 998244351
        while e:
            if e & 1:
                found = found * v % 998244353
            v, e = v * v % 998244353, e >> 1
        return dict(y=found.astype("u4"))

    a = hl.OpenCL(A, "modinv", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "sign", "negative ones stay", "v < 0 ? v + 998244353 : v", "v"),
    ("a", "value", "no rest of the number", "x[i] % 998244353u, b", "x[i], b"),
    (
        "a",
        "value",
        "zero has an inverse",
        "x[i] % 998244353u ? (uint)(v < 0 ? v + 998244353 : v) : 0",
        "(uint)(v < 0 ? v + 998244353 : v)",
    ),
    ("a", "value", "another prime in one place", "v + 998244353", "v + 998244351"),
    ("a", "type", "32 bits and no sign", "long a = x[i] % 998244353u, b", "long a = (ushort)x[i], b"),
    ("a", "bounds", "one step too few", "while (a > 0)", "while (a > 1)"),
]
