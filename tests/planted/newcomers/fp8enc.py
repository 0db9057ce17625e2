"""Floats to eight bits (one sign, four exponent, three fraction: E4M3): to nearest, halves to even, saturated at 448, NaN stays NaN."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global uchar *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint u = as_uint(x[i]), sign = u >> 24 & 0x80, a = u & 0x7FFFFFFF;
    uint r;
    if (a > 0x7F800000) r = 0x7F;
    else if (a >= 0x43E80000) r = 0x7E;
    else if (a < 0x3C800000) r = (uint)rint(as_float(a) * 512.0f);
    else r = (a + 0x7FFFF + (a >> 20 & 1) >> 20) - (120 << 3);
    o[i] = sign | r;
}
"""
SEARCH = """
float value(uint c) {
    return c < 8 ? c * 0.001953125f : ldexp(1.0f + (c & 7) * 0.125f, (int)(c >> 3) - 7);
}
__kernel void k(__global const float *x, __global uchar *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = fabs(x[i]);
    const uint sign = as_uint(x[i]) >> 31 << 7;
    if (isnan(v)) { o[i] = sign | 0x7F; return; }
    uint low = 0, high = 126;
    while (low < high) {
        const uint mid = (low + high + 1) / 2;
        if (value(mid) <= v) low = mid; else high = mid - 1;
    }
    if (low < 126) {
        const float middle = 0.5f * (value(low) + value(low + 1));
        if (v > middle || (v == middle && (low & 1))) ++low;
    }
    o[i] = sign | low;
}
"""
_GRID = np.array([c / 512 if c < 8 else (1 + (c & 7) / 8) * 2.0 ** ((c >> 3) - 7) for c in range(127)])


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=6 * p.n, bytes=5 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=19), dict(n=1003)],
    domain=dict(x="nan"),
)
class fp8enc:
    def inputs(p, rng):
        x = (rng.standard_normal(p.n) * 2.0 ** rng.integers(-9, 9, p.n)).astype("f4")
        x[rng.random(p.n) < 0.02] = np.nan
        return dict(x=x, o=hl.empty(p.n, "u1"), n=np.int32(p.n))

    def reference(p, x, o, n):
        v = np.abs(x.astype("f8"))
        low = np.clip(np.searchsorted(_GRID, v, side="right") - 1, 0, 126)
        high = np.minimum(low + 1, 126)
        middle = (_GRID[low] + _GRID[high]) / 2
        code = np.where((v > middle) | ((v == middle) & (low % 2 == 1)), high, low)
        return dict(o=np.where(np.isnan(x), 127, code) | np.signbit(x).astype("i8") << 7)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    search = hl.OpenCL(SEARCH, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "rounding", "halves away from zero", "a + 0x7FFFF + (a >> 20 & 1) >> 20", "a + 0x80000 >> 20"),
    ("plain", "rounding", "towards zero", "a + 0x7FFFF + (a >> 20 & 1) >> 20", "a >> 20"),
    ("plain", "special", "NaN saturate", "if (a > 0x7F800000) r = 0x7F;\n    else if", "if"),
    ("plain", "subnormal", "the smallest become zero", "(uint)rint(as_float(a) * 512.0f)", "0"),
    ("plain", "saturate", "beyond 448 becomes NaN", "r = 0x7E;", "r = 0x7F;"),
    ("search", "ties", "halves down", "(v == middle && (low & 1))", "false"),
    ("search", "sign", "minus zero loses its sign", "as_uint(x[i]) >> 31 << 7", "x[i] < 0 ? 128 : 0"),
]
