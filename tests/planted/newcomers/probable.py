"""Odd numbers of 32 bits that are strong probable primes to bases 2, 7 and 61 (Miller and Rabin)."""

import numpy as np

import hotloop as hl

A = """
uint power(uint base, uint e, const uint m) {
    ulong result = 1, square = base % m;
    while (e) {
        if (e & 1) result = result * square % m;
        square = square * square % m;
        e >>= 1;
    }
    return (uint)result;
}
__kernel void probable(__global const uint *n, __global uchar *prime, const int count) {
    const int i = get_global_id(0);
    if (i >= count) return;
    const uint m = n[i];
    const uint bases[3] = {2, 7, 61};
    if (m < 2 || (m & 1) == 0) {
        prime[i] = m == 2;
        return;
    }
    uint d = m - 1;
    int twos = 0;
    for (; (d & 1) == 0; d >>= 1) ++twos;
    bool good = true;
    for (int b = 0; b < 3 && good; ++b) {
        if (bases[b] % m == 0) continue;
        ulong v = power(bases[b], d, m);
        bool strong = v == 1 || v == m - 1;
        for (int s = 1; s < twos && !strong; ++s) {
            v = v * v % m;
            strong = v == m - 1;
        }
        good = strong;
    }
    prime[i] = good;
}
"""


@hl.kernel(
    problem=dict(count=3000),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.count),
    awkward=lambda p: [dict(count=1), dict(count=65), dict(count=257)],
    domain=dict(n="any"),
)
class probable:
    def inputs(p, rng):
        small = rng.integers(0, 200, p.count)
        large = rng.integers(0, 2**32, p.count)
        odd = np.where(rng.random(p.count) < 0.9, large | 1, large)
        return dict(
            n=np.where(rng.random(p.count) < 0.2, small, odd).astype("u4"), prime=hl.empty(p.count, "u1"), count=p.count
        )

    def reference(p, n, prime, count):
        out = np.zeros(count, "u1")
        sieve = np.ones(65537, bool)
        sieve[:2] = False
        for k in range(2, 257):
            if sieve[k]:
                sieve[k * k :: k] = False
        primes = np.flatnonzero(sieve).astype("i8")
        for i, v in enumerate(n.astype("i8")):
            small = primes[primes * primes <= v]
            out[i] = v > 1 and not (v % small == 0).any()
        return dict(prime=out)

    a = hl.OpenCL(A, "probable", global_size=lambda p, c: (p.count,))


MUTANTS = [
    (
        "a",
        "overflow",
        "squares in 32 bits",
        "square = square * square % m;",
        "square = (uint)square * (uint)square % m;",
    ),
    ("a", "bounds", "one and zero are prime", "m < 2 || (m & 1) == 0", "(m & 1) == 0 && m > 1"),
    ("a", "zeroed", "two is not prime", "prime[i] = m == 2;", "prime[i] = 0;"),
    ("a", "bounds", "seven and sixty-one are tried by themselves", "        if (bases[b] % m == 0) continue;\n", ""),
    ("a", "bounds", "one squaring too few", "s < twos && !strong", "s + 1 < twos && !strong"),
    ("a", "lost", "only the first base", "b < 3 && good", "b < 1 && good"),
    ("a", "sign", "numbers are signed", "const uint m = n[i];", "const int m = n[i];"),
]
