"""Repayment of loans in whole cents: interest of a month is rounded half to even, what is left is carried on."""

import numpy as np

import hotloop as hl

A = """
__kernel void repay(__global const int *debt, __global const int *rate, __global const int *paid, __global long *left,
                    __global int *months, const int n, const int most) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long d = debt[i];
    int m = 0;
    while (d > 0 && m < most) {
        const long product = d * rate[i];
        long interest = product / 120000;
        const long rest = product - interest * 120000;
        if (2 * rest > 120000 || (2 * rest == 120000 && (interest & 1))) ++interest;
        d += interest - paid[i];
        ++m;
    }
    left[i] = d;
    months[i] = m;
}
"""


@hl.kernel(
    problem=dict(n=900),
    work=lambda p: hl.Work(flops=0, bytes=24 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(debt="range", rate="range", paid="range"),
)
class amort:
    def inputs(p, rng):
        return dict(
            debt=rng.integers(0, 50_000_000, p.n, dtype="i4"), rate=rng.integers(0, 2000, p.n, dtype="i4"),
            paid=rng.integers(0, 2_000_000, p.n, dtype="i4"), left=hl.empty(p.n, "i8"), months=hl.empty(p.n, "i4"), n=p.n, most=np.int32(60),
        )  # fmt: skip

    def reference(p, debt, rate, paid, left, months, n, most):
        d, m = debt.astype("i8"), np.zeros(p.n, "i4")
        for _ in range(int(most)):
            open_ = d > 0
            product = d * rate
            q, r = product // 120000, product % 120000
            q = q + ((2 * r > 120000) | ((2 * r == 120000) & (q % 2 == 1)))
            d, m = np.where(open_, d + q - paid, d), m + open_
        return dict(left=d, months=m)

    a = hl.OpenCL(A, "repay", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "type",
        "the product has 32 bits",
        "const long product = d * rate[i]",
        "const long product = (int)d * rate[i]",
    ),
    (
        "a",
        "rounding",
        "interest is truncated",
        "if (2 * rest > 120000 || (2 * rest == 120000 && (interest & 1))) ++interest;",
        "",
    ),
    ("a", "rounding", "halves are rounded up", "(2 * rest == 120000 && (interest & 1))", "2 * rest == 120000"),
    ("a", "bounds", "a month too many", "m < most", "m <= most"),
    ("a", "bounds", "a debt of zero is repaid, too", "while (d > 0", "while (d >= 0"),
    ("a", "operator", "divided by a power of two", "product / 120000", "product >> 17"),
]
