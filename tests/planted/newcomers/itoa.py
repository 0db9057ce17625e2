"""Whole numbers as text: twelve places each, to the right, filled with blanks on the left."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *x, __global uchar *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int v = x[i];
    uint a = v < 0 ? 0u - (uint)v : (uint)v;
    int at = 12 * i + 11;
    do { o[at--] = '0' + a % 10; a /= 10; } while (a);
    if (v < 0) o[at--] = '-';
    while (at >= 12 * i) o[at--] = ' ';
}
"""
WIDE = """
__kernel void k(__global const int *x, __global uchar *o, const int n) {
    const int i = get_global_id(0) / 12, place = 11 - get_global_id(0) % 12;
    if (i >= n) return;
    const long v = x[i];
    ulong a = abs(v), p = 1;
    int digits = 1;
    for (ulong b = a; b >= 10; b /= 10) ++digits;
    for (int j = 0; j < place; ++j) p *= 10;
    o[get_global_id(0)] = place < digits ? '0' + a / p % 10 : place == digits && v < 0 ? '-' : ' ';
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=5), dict(n=777)],
)
class itoa:
    def inputs(p, rng):
        x = rng.integers(-(2**31), 2**31, p.n) >> rng.integers(0, 30, p.n)
        return dict(x=x.astype("i4"), o=hl.empty((p.n, 12), "u1"), n=np.int32(p.n))

    def reference(p, x, o, n):
        text = "".join(f"{int(v):12d}" for v in x)
        return dict(o=np.frombuffer(text.encode(), "u1").reshape(p.n, 12).astype("i8"))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    wide = hl.OpenCL(WIDE, "k", global_size=lambda p, c: (12 * p.n,))


MUTANTS = [
    (
        "plain",
        "zero",
        "zero has no digit",
        "do { o[at--] = '0' + a % 10; a /= 10; } while (a);",
        "while (a) { o[at--] = '0' + a % 10; a /= 10; }",
    ),
    (
        "plain",
        "overflow",
        "the least number is negated as it is",
        "uint a = v < 0 ? 0u - (uint)v : (uint)v;",
        "int a = v < 0 ? -v : v;",
    ),
    ("plain", "stale-output", "the first place is not filled", "while (at >= 12 * i)", "while (at > 12 * i)"),
    ("plain", "sign", "minus for zero", "if (v < 0) o[at--]", "if (v <= 0) o[at--]"),
    ("wide", "type", "magnitudes in 31 bits", "ulong a = abs(v)", "ulong a = abs(v) & 0x7FFFFFFF"),
    ("wide", "bounds", "numbers from eleven on have two digits", "b >= 10", "b > 10"),
]
