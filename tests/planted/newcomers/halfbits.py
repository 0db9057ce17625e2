"""Half to single precision by bits: subnormal numbers are normalised, NaN keeps its payload."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void widen(__global const ushort *h, __global uint *f, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint v = h[i], sign = (v & 0x8000) << 16, e = v >> 10 & 31, m = v & 1023;
    uint r;
    if (e == 31) r = sign | 0x7F800000 | m << 13;
    else if (e) r = sign | (e + 112) << 23 | m << 13;
    else if (m) {
        const uint shift = clz(m) - 21;
        r = sign | (113 - shift) << 23 | (m << shift & 1023) << 13;
    } else r = sign;
    f[i] = r;
}
"""


@hl.kernel(
    problem=dict(n=30000),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=1001)],
)
class halfbits:
    def inputs(p, rng):
        return dict(h=rng.integers(0, 1 << 16, p.n, dtype="u2"), f=hl.empty(p.n, "u4"), n=np.int32(p.n))

    def reference(p, h, f, n):
        wide = h.view("f2").astype("f4").view("u4")
        nan = (h & 0x7FFF) > 0x7C00
        kept = (h.astype("u4") & 0x8000) << 16 | np.uint32(0x7F800000) | (h.astype("u4") & 1023) << 13
        return dict(f=np.where(nan, kept, wide))

    plain = hl.OpenCL(SOURCE, "widen", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "branch", "subnormal numbers are zero", "else if (m) {", "else if (m > 1023) {"),
    ("plain", "off-by-one", "subnormal numbers are doubled", "(113 - shift) << 23", "(114 - shift) << 23"),
    ("plain", "sign", "zero has no sign", "} else r = sign;", "} else r = 0;"),
    ("plain", "limit", "infinity is a number", "if (e == 31) r", "if (e == 31 && m) r"),
    ("plain", "branch", "NaN is always quiet", "0x7F800000 | m << 13", "0x7F800000 | (m ? m | 512 : 0) << 13"),
    ("plain", "limit", "the least number", "(m << shift & 1023) << 13", "(m << min(shift, 9u) & 1023) << 13"),
]
