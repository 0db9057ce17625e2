"""Porter and Duff's over for 8-bit RGBA that is not premultiplied: rounded quotients by 255, and by shifts."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar4 *s, __global const uchar4 *d, __global uchar4 *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint4 a = convert_uint4(s[i]), b = convert_uint4(d[i]);
    const uint keep = 255 - a.w;
    const uint4 c = (a * a.w + b * keep + 127) / 255;
    o[i] = (uchar4)((uchar)c.x, (uchar)c.y, (uchar)c.z, (uchar)(a.w + (b.w * keep + 127) / 255));
}
"""
SHIFTS = """
uint quotient(uint v) { v += 127; return (v + 1 + (v >> 8)) >> 8; }
__kernel void k(__global const uchar4 *s, __global const uchar4 *d, __global uchar4 *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uchar4 a = s[i], b = d[i];
    const uint w = a.w, keep = 255 - w;
    o[i].x = quotient(a.x * w + b.x * keep);
    o[i].y = quotient(a.y * w + b.y * keep);
    o[i].z = quotient(a.z * w + b.z * keep);
    o[i].w = w + quotient(b.w * keep);
}
"""


@hl.kernel(
    problem=dict(n=5003),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=1000)],
)
class porter:
    def inputs(p, rng):
        return dict(
            s=rng.integers(0, 256, 4 * p.n, dtype="u1"),
            d=rng.integers(0, 256, 4 * p.n, dtype="u1"),
            o=hl.empty(4 * p.n, "u1"),
            n=np.int32(p.n),
        )

    def reference(p, s, d, o, n):
        a, b = s.reshape(-1, 4).astype("i8"), d.reshape(-1, 4).astype("i8")
        keep = 255 - a[:, 3:]
        c = (a * a[:, 3:] + b * keep + 127) // 255
        c[:, 3] = a[:, 3] + (b[:, 3] * keep[:, 0] + 127) // 255
        return dict(o=c.ravel())

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    shifts = hl.OpenCL(SHIFTS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "rounding", "quotients are cut off", "(a * a.w + b * keep + 127) / 255", "(a * a.w + b * keep) / 255"),
    ("plain", "divisor", "a shift by eight for the quotient", "(b.w * keep + 127) / 255", "(b.w * keep + 127) >> 8"),
    ("shifts", "rounding", "the correction of the quotient is lost", "(v + 1 + (v >> 8)) >> 8", "(v + (v >> 8)) >> 8"),
    (
        "shifts",
        "order",
        "source and target are exchanged",
        "quotient(a.y * w + b.y * keep)",
        "quotient(b.y * w + a.y * keep)",
    ),
    (
        "shifts",
        "inout",
        "a target that is its own source",
        "o[i].w = w + quotient(b.w * keep)",
        "o[i].w = w + quotient(o[i].x * keep)",
    ),
]
