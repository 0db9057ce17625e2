"""Distance of pairs of floats in units in the last place, -1 where one is no number."""

import numpy as np

import hotloop as hl

A = """
__kernel void ul(__global const float *x, __global const float *y, __global long *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int a = as_int(x[i]), b = as_int(y[i]);
    const long u = a < 0 ? (long)INT_MIN - a : a, v = b < 0 ? (long)INT_MIN - b : b;
    o[i] = isnan(x[i]) || isnan(y[i]) ? -1 : (long)abs_diff(u, v);
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=300)],
    domain=dict(x="any", y="any"),
)
class ulps:
    def inputs(p, rng):
        x = (rng.standard_normal(p.n) * np.exp2(rng.integers(-140, 120, p.n))).astype("f4")
        y = np.where(rng.random(p.n) < 0.5, x * np.float32(1 + 1e-6), -x).astype("f4")
        y[::7] = np.nan
        x[3::11] = 0
        y[3::22] = -0.0
        return dict(x=x, y=y, o=hl.empty(p.n, "i8"), n=p.n)

    def reference(p, x, y, o, n):
        def place(f):
            b = f.view("i4").astype("i8")
            return np.where(b < 0, -(2**31) - b, b)

        return dict(o=np.where(np.isnan(x) | np.isnan(y), -1, np.abs(place(x) - place(y))))

    a = hl.OpenCL(A, "ul", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "overflow", "the distance in 32 bits", "(long)abs_diff(u, v)", "(long)(int)abs_diff((int)u, (int)v)"),
    ("a", "zero", "zeros of either sign are one apart", "(long)INT_MIN - a : a", "(long)INT_MIN - a - 1 : a"),
    ("a", "nan", "a missing second number is not seen", "isnan(x[i]) || isnan(y[i])", "isnan(x[i])"),
    (
        "a",
        "subnormal",
        "small numbers are zero",
        "const int a = as_int(x[i])",
        "const int a = fabs(x[i]) < FLT_MIN ? 0 : as_int(x[i])",
    ),
    ("a", "nan", "infinite numbers are none", "isnan(x[i]) ||", "!isfinite(x[i]) ||"),
    ("a", "sign", "numbers below zero keep their bits", "v = b < 0 ? (long)INT_MIN - b : b", "v = b"),
]
