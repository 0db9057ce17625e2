"""Bits of a float: sign, exponent and whether it is finite, as integers; for every float there is."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global int *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint b = as_uint(x[i]);
    const int e = (b >> 23) & 255, s = b >> 31;
    int m = e == 0 ? ((b & 0x7fffffu) ? -149 + (31 - (int)clz(b & 0x7fffffu)) : -1000) : e == 255 ? 1000 : e - 127;
    o[i] = s ? -(m + 2000) : m + 2000;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=17)],
    domain=dict(x="any"),
)
class signs:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 1 << 32, p.n, dtype="u4").view("f4"), o=hl.empty(p.n, "int32"), n=np.int32(p.n))

    def reference(p, x, o, n):
        b = x.view("u4").astype("i8")
        e, s, f = (b >> 23) & 255, b >> 31, b & 0x7FFFFF
        low = np.where(f > 0, -149 + np.floor(np.log2(np.maximum(f, 1))), -1000)
        m = np.where(e == 0, low, np.where(e == 255, 1000, e - 127)).astype("i8")
        return dict(o=np.where(s == 1, -(m + 2000), m + 2000))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "minus-zero", "minus zero is no negative", "o[i] = s ?", "o[i] = x[i] < 0 ?"),
    (
        "plain",
        "subnormal",
        "subnormals are zeros",
        "(b & 0x7fffffu) ? -149 + (31 - (int)clz(b & 0x7fffffu)) : -1000",
        "-1000",
    ),
    ("plain", "subnormal", "the exponent of subnormals", "-149 + (31 - (int)clz(b & 0x7fffffu))", "-126"),
    ("plain", "infinite", "infinities as numbers", "e == 255 ? 1000 : e - 127", "e - 127"),
    ("plain", "nan", "NaN has no sign", "o[i] = s ?", "o[i] = s && x[i] == x[i] ?"),
    ("plain", "zero", "zeros as the least subnormal", ": -1000)", ": -149)"),
    ("plain", "minus-zero", "sign by a quotient", "s = b >> 31;", "s = 1.0f / x[i] < 0;"),
]
