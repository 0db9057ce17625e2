"""Fixed-point products of 15 fractional bits, rounded and saturated."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const short *a, __global const short *b, __global short *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int v = ((int)a[i] * b[i] + 0x4000) >> 15;
    o[i] = (short)min(v, 32767);
}
"""


@hl.kernel(
    problem=dict(n=9000),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
)
class q15:
    def inputs(p, rng):
        return dict(
            a=rng.integers(-32768, 32768, p.n).astype("i2"),
            b=rng.integers(-32768, 32768, p.n).astype("i2"),
            o=hl.empty(p.n, "i2"),
            n=np.int32(p.n),
        )

    def reference(p, a, b, o, n):
        v = (a.astype("i8") * b + 0x4000) >> 15
        return dict(o=np.minimum(v, 32767).astype("i2"))

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "saturation", "minus one squared overflows", "(short)min(v, 32767)", "(short)v"),
    ("plain", "rounding", "truncated", " + 0x4000) >> 15", ") >> 15"),
    (
        "plain",
        "shift",
        "division instead of shift: rounds to zero",
        "((int)a[i] * b[i] + 0x4000) >> 15",
        "((int)a[i] * b[i] + 0x4000) / 32768",
    ),
    ("plain", "limit", "saturates at 32766", "min(v, 32767)", "min(v, 32766)"),
]
