"""Flags of primes in ranges of 256 numbers, every group sieves its own in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void sieve(__global const int *base, __global uchar *y) {
    __local uchar t[256];
    const int l = get_local_id(0);
    const int first = base[get_group_id(0)];
    for (int k = l; k < 256; k += 32) t[k] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int q = 2 + l; q * q < first + 256; q += 32) {
        int m = (first + q - 1) / q * q;
        if (m < q * q) m = q * q;
        for (; m < first + 256; m += q) t[m - first] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < 256; k += 32) y[get_group_id(0) * 256 + k] = first + k < 2 ? 0 : t[k];
}
"""


@hl.kernel(
    problem=dict(n=60),
    work=lambda p: hl.Work(flops=0, bytes=4 * 64 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=5), dict(n=13)],
    domain=dict(base="range"),
)
class sieve:
    def inputs(p, rng):
        return dict(
            base=(rng.integers(0, 3000, p.n) * rng.integers(0, 2, p.n)).astype("i4"), y=hl.empty((p.n, 256), "u1")
        )

    def reference(p, base, y):
        v = base.astype("i8")[:, None] + np.arange(256)
        prime = v > 1
        for q in range(2, 80):
            prime &= ~((v % q == 0) & (v > q))
        return dict(y=prime)

    a = hl.OpenCL(A, "sieve", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "barrier", "no barrier after the flags are set", "t[k] = 1;\n    barrier(CLK_LOCAL_MEM_FENCE);", "t[k] = 1;"),
    (
        "a",
        "barrier",
        "no barrier before flags are stored",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int k = l; k < 256; k += 32) y",
        "    for (int k = l; k < 256; k += 32) y",
    ),
    ("a", "bounds", "one flag behind the last is cleared", "m < first + 256; m += q", "m <= first + 256; m += q"),
    ("a", "bounds", "multiples begin below the range", "(first + q - 1) / q * q", "first / q * q"),
    ("a", "limit", "squares of primes pass", "q * q < first + 256", "q * q < first + 200"),
    ("a", "edge", "one is a prime", "first + k < 2 ? 0", "first + k < 1 ? 0"),
]
