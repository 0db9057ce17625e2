"""Zeckendorf's representation: which Fibonacci numbers add up to a number, greedily, as bits."""

import numpy as np

import hotloop as hl

A = """
__kernel void zeck(__global const uint *x, __global ulong *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint fib[46];
    fib[0] = 1;
    fib[1] = 2;
    for (int k = 2; k < 46; ++k) fib[k] = fib[k - 1] + fib[k - 2];
    uint left = x[i];
    ulong bits = 0;
    for (int k = 45; k >= 0; --k)
        if (left >= fib[k]) { left -= fib[k]; bits |= 1ul << k; }
    y[i] = bits;
}
"""


@hl.kernel(
    problem=dict(n=900),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(x="any"),
)
class zeck:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 2**32, p.n, dtype="u4") >> rng.integers(0, 32, p.n, dtype="u4"),
            y=hl.empty(p.n, "u8"),
            n=p.n,
        )

    def reference(p, x, y, n):
        fib = [1, 2]
        while len(fib) < 46:
            fib.append(fib[-1] + fib[-2])
        left, bits = x.astype("i8"), np.zeros(p.n, "u8")
        for k in reversed(range(46)):
            some = left >= fib[k]
            left, bits = left - some * fib[k], bits | (some.astype("u8") << np.uint64(k))
        return dict(y=bits)

    a = hl.OpenCL(A, "zeck", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "boundary", "greater for greater or equal", "left >= fib[k]", "left > fib[k]"),
    ("a", "type", "bits of 32", "1ul << k", "1u << k"),
    ("a", "bounds", "the largest number is left out", "int k = 45; k", "int k = 44; k"),
    ("a", "bounds", "one is left out", "k >= 0; --k", "k > 0; --k"),
    ("a", "sign", "signed numbers", "left >= fib[k])", "(int)left >= (int)fib[k])"),
]
