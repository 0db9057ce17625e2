"""RGB bytes to luma bytes in whole numbers: (77 R + 150 G + 29 B + 128) >> 8."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void luma(__global const uchar *x, __global uchar *y, const int n) {
    const int i = get_global_id(0);
    if (i < n) y[i] = (77 * x[3 * i] + 150 * x[3 * i + 1] + 29 * x[3 * i + 2] + 128) >> 8;
}
"""
FOUR = """
__kernel void luma(__global const uchar *x, __global uchar *y, const int n) {
    const int first = 4 * get_global_id(0);
    for (int i = first; i < first + 4 && i < n; ++i) {
        const uint3 v = convert_uint3(vload3(0, x + 3 * i));
        y[i] = (uchar)((77u * v.x + 150u * v.y + 29u * v.z + 128u) / 256u);
    }
}
"""


@hl.kernel(
    problem=dict(n=40000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=1026)],
)
class yuv:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 256, (p.n, 3), dtype="u1"), y=hl.empty(p.n, "uint8"), n=np.int32(p.n))

    def reference(p, x, y, n):
        return dict(y=(x.astype("i8") @ [77, 150, 29] + 128) >> 8)

    plain = hl.OpenCL(PLAIN, "luma", global_size=lambda p, c: (p.n,))
    four = hl.OpenCL(FOUR, "luma", global_size=lambda p, c: (-(-p.n // 4),))


MUTANTS = [
    ("plain", "rounding", "cut instead of rounded", "+ 128) >> 8", ") >> 8"),
    ("plain", "rounding", "halves are rounded down", "+ 128) >> 8", "+ 127) >> 8"),
    (
        "plain",
        "narrow",
        "sums in 16 signed bits",
        "(77 * x[3 * i] + 150 * x[3 * i + 1]",
        "((short)(77 * x[3 * i] + 150 * x[3 * i + 1])",
    ),
    ("four", "order", "blue comes first", "77u * v.x + 150u * v.y + 29u * v.z", "77u * v.z + 150u * v.y + 29u * v.x"),
    ("four", "weight", "red weighs one less", "(77u * v.x", "(76u * v.x"),
    ("four", "tail", "a partial four is left out", "i < first + 4 && i < n", "i < first + 4 && first + 4 <= n"),
]
