"""An image of packed RGB bytes taken to another size by the nearest pixel (centres), in whole numbers."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uchar *x, __global uchar *o, int h, int w, int oh, int ow) {
    int c = get_global_id(0), r = get_global_id(1);
    if (c >= ow || r >= oh) return;
    int sy = (2 * r + 1) * h / (2 * oh), sx = (2 * c + 1) * w / (2 * ow);
    for (int b = 0; b < 3; ++b) o[(r * ow + c) * 3 + b] = x[(sy * w + sx) * 3 + b];
}
"""
B = """
__kernel void k(__global const uchar *x, __global uchar *o, int h, int w, int oh, int ow) {
    int g = get_global_id(0);
    if (g >= oh * ow) return;
    int r = g / ow, c = g - r * ow;
    int sy = ((long)r * 2 * h + h) / (oh * 2), sx = ((long)c * 2 * w + w) / (ow * 2);
    vstore3(vload3(sy * w + sx, x), g, o);
}
"""


@hl.kernel(
    problem=dict(h=30, w=40, oh=47, ow=100),
    work=lambda p: hl.Work(flops=10 * p.oh * p.ow, bytes=6 * p.oh * p.ow),
    awkward=lambda p: [dict(h=1, w=1, oh=3, ow=2), dict(h=9, w=7, oh=5, ow=3), dict(h=16, w=16, oh=16, ow=33)],
)
class nearup:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.h, p.w, 3), dtype="u1"),
            o=hl.empty((p.oh, p.ow, 3), "uint8"),
            h=p.h,
            w=p.w,
            oh=p.oh,
            ow=p.ow,
        )

    def reference(p, x, o, h, w, oh, ow):
        return dict(o=x[((2 * np.arange(oh) + 1) * h // (2 * oh))[:, None], (2 * np.arange(ow) + 1) * w // (2 * ow)])

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.ow, p.oh))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.oh * p.ow,))


MUTANTS = [
    ("a", "centre", "corners", "(2 * r + 1) * h / (2 * oh)", "r * h / oh"),
    ("a", "float", "a float factor", "(2 * c + 1) * w / (2 * ow)", "(int)((c + 0.5f) * ((float)w / ow))"),
    ("a", "swap", "rows are as high as wide", "(sy * w + sx)", "(sy * h + sx)"),
    ("a", "last", "blue is lost", "b < 3", "b < 2"),
    ("b", "narrow", "products in 16 bits", "((long)c * 2 * w + w)", "((short)(c * 2 * w) + w)"),
    (
        "b",
        "overrun",
        "four bytes are stored",
        "vstore3(vload3(sy * w + sx, x), g, o)",
        "uchar3 v = vload3(sy * w + sx, x); vstore3(v, g, o); o[g * 3 + 3] = g + 1 == oh * ow ? 0 : o[g * 3 + 3]",
    ),
    ("b", "guard", "one pixel less", "g >= oh * ow", "g >= oh * ow - 1"),
]
