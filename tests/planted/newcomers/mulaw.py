"""Sixteen-bit samples to eight bits by the mu-law of G.711, and back."""

import numpy as np

import hotloop as hl

A = """
__kernel void code(__global const short *x, __global uchar *c, __global short *back, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int v = x[i], sign = 0;
    if (v < 0) { v = -v; sign = 0x80; }
    if (v > 32635) v = 32635;
    v += 132;
    int e = 31 - clz(v) - 7;
    int m = (v >> (e + 3)) & 15;
    uchar code = ~(sign | e << 4 | m);
    c[i] = code;
    code = ~code;
    int t = (((code & 15) << 3) + 132) << ((code >> 4) & 7);
    t -= 132;
    back[i] = code & 0x80 ? -t : t;
}
"""


@hl.kernel(
    problem=dict(n=10007), work=lambda p: hl.Work(flops=0, bytes=5 * p.n), awkward=lambda p: [dict(n=1), dict(n=255)]
)
class mulaw:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-32768, 32768, p.n, dtype="i2"), c=hl.empty(p.n, "u1"), back=hl.empty(p.n, "i2"), n=p.n
        )

    def reference(p, x, c, back, n):
        wide = x.astype("i8")
        sign = np.where(wide < 0, 0x80, 0)
        v = np.minimum(np.abs(wide), 32635) + 132
        e = np.floor(np.log2(v)).astype("i8") - 7
        m = (v >> (e + 3)) & 15
        t = ((m << 3) + 132 << e) - 132
        return dict(c=~(sign | e << 4 | m) & 255, back=np.where(sign > 0, -t, t))

    a = hl.OpenCL(A, "code", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "clip", "clips 100 higher", "if (v > 32635) v = 32635;", "if (v > 32735) v = 32735;"),
    ("a", "clip", "no clip", "if (v > 32635) v = 32635;", ""),
    ("a", "type", "the negative in sixteen bits", "v = -v; sign", "v = (short)-v; sign"),
    ("a", "bias", "131 is added", "v += 132;", "v += 131;"),
    ("a", "sign", "zero is negative", "if (v < 0)", "if (v <= 0)"),
    ("a", "invert", "bits are not turned", "uchar code = ~(sign", "uchar code = (uchar)(sign"),
]
