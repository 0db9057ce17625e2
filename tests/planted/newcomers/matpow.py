"""Terms of linear recurrences by powers of 2 x 2 matrices modulo a prime."""

import numpy as np

import hotloop as hl

A = """
__kernel void power(__global const uint *p, __global const uint *q, __global const uint *n, __global uint *y, const int m, const uint prime) {
    const int i = get_global_id(0);
    if (i >= m) return;
    ulong a = p[i] % prime, b = q[i] % prime, c = 1, d = 0;
    ulong e = 1, f = 0, g = 0, h = 1;
    for (uint k = n[i]; k; k >>= 1) {
        if (k & 1) {
            const ulong e2 = (e * a + f * c % prime) % prime, f2 = (e * b + f * d % prime) % prime;
            const ulong g2 = (g * a + h * c % prime) % prime, h2 = (g * b + h * d % prime) % prime;
            e = e2; f = f2; g = g2; h = h2;
        }
        const ulong a2 = (a * a + b * c % prime) % prime, b2 = (a * b + b * d % prime) % prime;
        const ulong c2 = (c * a + d * c % prime) % prime, d2 = (c * b + d * d % prime) % prime;
        a = a2; b = b2; c = c2; d = d2;
    }
    y[i] = g;
}
"""


def _term(p, q, n, prime):

    def times(s, t):
        return tuple(sum(s[2 * i + k] * t[2 * k + j] for k in (0, 1)) % prime for i in (0, 1) for j in (0, 1))

    result, base = (1, 0, 0, 1), (p % prime, q % prime, 1, 0)
    while n:
        result = times(result, base) if n & 1 else result
        base, n = times(base, base), n >> 1
    return result[2]


@hl.kernel(
    problem=dict(m=700),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.m),
    awkward=lambda p: [dict(m=1), dict(m=63)],
    domain=dict(p="any", q="any", n="any"),
)
class matpow:
    def inputs(p, rng):
        n = rng.integers(0, 2**32, p.m, dtype="u4") >> rng.integers(0, 32, p.m, dtype="u4")
        return dict(
            p=rng.integers(0, 2**32, p.m, dtype="u4"), q=rng.integers(0, 2**32, p.m, dtype="u4"), n=n, y=hl.empty(p.m, "u4"),
            m=p.m, prime=np.uint32(4294967291),
        )  # fmt: skip

    def reference(s, p, q, n, y, m, prime):
        return dict(
            y=np.array([_term(int(a), int(b), int(k), int(prime)) for a, b, k in zip(p, q, n, strict=True)], "i8")
        )

    a = hl.OpenCL(A.replace("(e * a +", "(e * a % prime +"), "power", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "type", "the exponent is signed", "for (uint k = n[i]; k; k >>= 1)", "for (int k = n[i]; k > 0; k >>= 1)"),
    (
        "a",
        "identity",
        "starts at the first power",
        "ulong e = 1, f = 0, g = 0, h = 1;",
        "ulong e = a, f = b, g = c, h = d;",
    ),
    ("a", "type", "numbers of 32 bits", "ulong a = p[i] % prime, b", "uint a = p[i] % prime, b"),
    ("a", "index", "the wrong corner", "y[i] = g", "y[i] = e"),
    (
        "a",
        "stale",
        "the new first column is used at once",
        "const ulong g2 = (g * a + h * c % prime) % prime, h2 =",
        "const ulong g2 = (g * a + h * c % prime) % prime; g = g2; const ulong h2 =",
    ),
]
