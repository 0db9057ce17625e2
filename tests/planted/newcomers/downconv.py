"""float to half by bits, rounded to nearest even, with saturation by a flag."""

import numpy as np

import hotloop as hl

A = """
__kernel void half_(__global const uint *x, __global ushort *o, const int saturate, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint b = x[i], sign = b >> 16 & 0x8000, a = b & 0x7fffffff;
    uint h;
    if (a > 0x7f800000) h = 0x7e00;
    else if (a >= 0x477ff000) h = saturate && a != 0x7f800000 ? 0x7bff : 0x7c00;
    else if (a < 0x38800000) {
        const uint e = a >> 23, m = (a & 0x7fffff) | 0x800000;
        const uint by = 126 - e;
        h = by > 24 ? 0 : m >> by;
        if (by <= 24) {
            const uint rest = m & ((1u << by) - 1), mid = 1u << (by - 1);
            h += rest > mid || (rest == mid && (h & 1));
        }
    } else h = (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13;
    o[i] = sign | h;
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(x="any"),
)
class downconv:
    def inputs(p, rng):
        v = (rng.standard_normal(p.n) * 2.0 ** rng.integers(-28, 20, p.n)).astype("f4").view("u4")
        return dict(x=v, o=hl.empty(p.n, "u2"), saturate=int(rng.integers(0, 2)), n=p.n)

    def reference(p, x, o, saturate, n):
        v = x.view("f4").astype("f8")
        with np.errstate(all="ignore"):
            h = v.astype("f2").view("u2").astype("i8")
        if saturate:
            over = np.isfinite(v) & ((h & 0x7FFF) == 0x7C00)
            h = np.where(over, (h & 0x8000) | 0x7BFF, h)
        return dict(o=np.where(np.isnan(v), (x >> 16 & 0x8000) | 0x7E00, h))

    a = hl.OpenCL(A, "half_", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "the least that is too large is rounded down", "a >= 0x477ff000", "a > 0x477ff000"),
    ("a", "rounding", "halves up", "0xfff + (a >> 13 & 1)", "0x1000"),
    ("a", "flag", "infinities are saturated, too", "saturate && a != 0x7f800000", "saturate"),
    ("a", "flag", "never saturated", "saturate && a != 0x7f800000 ? 0x7bff : 0x7c00", "0x7c00"),
    ("a", "nan", "NaN become infinite", "if (a > 0x7f800000) h = 0x7e00;\n    else if", "if"),
    ("a", "subnormal", "halves of small ones are cut", "rest > mid || (rest == mid && (h & 1))", "rest > mid"),
    ("a", "shift", "the smallest ones are shifted by more than a word", "by > 24 ? 0 : m >> by", "m >> by"),
    ("a", "sign", "the sign of zero is lost", "o[i] = sign | h;", "o[i] = h ? sign | h : 0;"),
]
