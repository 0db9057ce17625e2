"""Integer arithmetic on words: population count of a masked rotation, and a saturating difference."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void mix(__global const uint *x, __global const int *d, __global uint *y, __global int *s, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint r = (x[i] << 7) | (x[i] >> 25);
    y[i] = popcount(r & 0xF0F0F0F0u) + (x[i] % 10u);
    s[i] = sub_sat(d[i], (int)x[i]);
}
"""
WIDE = """
__kernel void mix(__global const uint *x, __global const int *d, __global uint *y, __global int *s, const int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint v = x[i];
        const uint r = rotate(v, 7u) & 0xF0F0F0F0u;
        uint c = 0;
        for (uint b = r; b; b &= b - 1) ++c;
        const uint q = (uint)(((ulong)v * 0xCCCCCCCDul) >> 35);
        y[i] = c + (v - 10u * q);
        const long w = (long)d[i] - (long)(int)v;
        s[i] = (int)clamp(w, (long)INT_MIN, (long)INT_MAX);
    }
}
"""


@hl.kernel(
    problem=dict(n=50000),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=509), dict(n=4097)],
)
class bits:
    def inputs(p, rng):
        x = rng.integers(0, 2**32, p.n, dtype="u4")
        d = rng.integers(-(2**31), 2**31, p.n, dtype="i4")
        return dict(x=x, d=d, y=hl.empty(p.n, "uint32"), s=hl.empty(p.n, "int32"), n=np.int32(p.n))

    def reference(p, x, d, y, s, n):
        r = ((x << np.uint32(7)) | (x >> np.uint32(25))) & np.uint32(0xF0F0F0F0)
        ones = np.unpackbits(r.view("u1").reshape(-1, 4), axis=1).sum(axis=1)
        wide = d.astype("i8") - x.view("i4").astype("i8")
        return dict(y=ones.astype("u4") + x % 10, s=np.clip(wide, -(2**31), 2**31 - 1))

    plain = hl.OpenCL(PLAIN, "mix", global_size=lambda p, c: (p.n,))
    wide = hl.OpenCL(WIDE, "mix", global_size=lambda p, c: (min(p.n, 1024),))


MUTANTS = [
    ("plain", "shift", "an arithmetic shift", "(x[i] >> 25)", "(uint)((int)x[i] >> 25)"),
    ("plain", "saturate", "wraps instead of saturating", "sub_sat(d[i], (int)x[i])", "d[i] - (int)x[i]"),
    ("plain", "signed", "a signed remainder", "x[i] % 10u", "(uint)((int)x[i] % 10)"),
    ("wide", "multiplier", "a reciprocal that is off in its last bit", "0xCCCCCCCDul", "0xCCCCCCCCul"),
    ("wide", "multiplier", "32 bits of the product", "((ulong)v * 0xCCCCCCCDul) >> 35", "(ulong)(v * 0xCCCCCCCDu) >> 3"),
    ("wide", "limit", "the lower limit is one too high", "(long)INT_MIN", "(long)(INT_MIN + 1)"),
    ("wide", "limit", "the upper limit is one too low", "(long)INT_MAX", "(long)(INT_MAX - 1)"),
    ("plain", "mask", "one bit of the mask is missing", "0xF0F0F0F0u", "0xF0F0F0E0u"),
]  # fmt: skip
