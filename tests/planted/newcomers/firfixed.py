"""A filter in 16-bit fixed point, rounded and saturated."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const short *x, __global const short *c, __global short *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long s = 1 << 14;
    for (int j = 0; j < m; ++j) s += (int)x[i + j] * c[j];
    o[i] = (short)clamp(s >> 15, (long)-32768, (long)32767);
}
"""
SAT = """
__kernel void k(__global const short *x, __global const short *c, __global short *o, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long s = 0;
    for (int j = m - 1; j >= 0; --j) s += (long)x[i + j] * (long)c[j];
    o[i] = convert_short_sat((s + 16384) >> 15);
}
"""


@hl.kernel(
    problem=dict(n=3000, m=24),
    work=lambda p: hl.Work(flops=2 * p.n * p.m, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=65, m=2), dict(n=9, m=33)],
)
class firfixed:
    def inputs(p, rng):
        q = lambda size: rng.integers(-32768, 32768, size, dtype="i2")
        return dict(x=q(p.n + p.m - 1), c=q(p.m), o=hl.empty(p.n, "int16"), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, x, c, o, n, m):
        s = np.correlate(x.astype("i8"), c.astype("i8"), "valid")
        return dict(o=np.clip((s + 16384) >> 15, -32768, 32767))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    sat = hl.OpenCL(SAT, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "overflow", "sums of 32 bits", "s += (int)x[i + j] * c[j]", "s = (int)(s + (int)x[i + j] * c[j])"),
    ("plain", "rounding", "no rounding", "long s = 1 << 14", "long s = 0"),
    (
        "plain",
        "saturation",
        "results wrap round",
        "(short)clamp(s >> 15, (long)-32768, (long)32767)",
        "(short)(s >> 15)",
    ),
    ("plain", "saturation", "cut symmetrically", "(long)-32768", "(long)-32767"),
    ("plain", "division", "division for the shift", "s >> 15", "s / 32768"),
    ("plain", "order", "the filter reversed", "* c[j]", "* c[m - 1 - j]"),
    ("sat", "lost-tail", "the first tap is left out", "j >= 0", "j > 0"),
    ("sat", "shift", "by one bit more", ">> 15", ">> 16"),
]
