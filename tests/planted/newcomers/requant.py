"""Integer matrix times vector with zero points, requantised to 8 bits, rounding half to even."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const char *a, __global const uchar *x, __global const float *scale, __global uchar *y, const int m, const int n, const int zero) {
    const int r = get_global_id(0);
    if (r >= m) return;
    int s = 0;
    for (int j = 0; j < n; ++j) s += (int)a[r * n + j] * ((int)x[j] - zero);
    y[r] = convert_uchar_sat_rte(s * scale[r] + 128.0f);
}
"""


@hl.kernel(
    problem=dict(m=500, n=96),
    work=lambda p: hl.Work(flops=2 * p.m * p.n, bytes=p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=67, n=33)],
    domain=dict(scale="range", zero="range"),
)
class requant:
    def inputs(p, rng):
        return dict(
            a=rng.integers(-127, 128, (p.m, p.n), dtype="i1"),
            x=rng.integers(0, 256, p.n, dtype="u1"),
            scale=(2.0 ** -rng.integers(8, 12, p.m)).astype("f4"),
            y=hl.empty(p.m, "uint8"),
            m=np.int32(p.m),
            n=np.int32(p.n),
            zero=np.int32(rng.integers(100, 150)),
        )

    def reference(p, a, x, scale, y, m, n, zero):
        s = a.astype("i8") @ (x.astype("i8") - int(zero))
        return dict(y=np.clip(np.rint(s * scale.astype("f8") + 128.0), 0, 255))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.m,))


MUTANTS = [
    (
        "plain",
        "rounding",
        "half away from zero",
        "convert_uchar_sat_rte(s * scale[r] + 128.0f)",
        "convert_uchar_sat(round(s * scale[r] + 128.0f))",
    ),
    ("plain", "rounding", "cut off", "convert_uchar_sat_rte(", "convert_uchar_sat_rtz("),
    (
        "plain",
        "saturation",
        "wraps",
        "convert_uchar_sat_rte(s * scale[r] + 128.0f)",
        "(uchar)convert_int_rte(s * scale[r] + 128.0f)",
    ),
    ("plain", "narrow", "sums of 16 bits", "int s = 0;", "short s = 0;"),
    ("plain", "sign", "bytes without sign", "(int)a[r * n + j] *", "(int)(uchar)a[r * n + j] *"),
    ("plain", "dropped", "the zero point is 128", "- zero)", "- 128)"),
    ("plain", "dropped", "one scale for all", "scale[r]", "scale[0]"),
]
