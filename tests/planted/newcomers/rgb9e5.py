"""Three floats with one exponent in 32 bits (RGB9E5)."""

import numpy as np

import hotloop as hl

A = """
__kernel void pack(__global const float *rgb, __global uint *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float most = 65408.0f;
    const float r = fmin(fmax(rgb[3 * i], 0.0f), most), g = fmin(fmax(rgb[3 * i + 1], 0.0f), most), b = fmin(fmax(rgb[3 * i + 2], 0.0f), most);
    const float top = fmax(r, fmax(g, b));
    int e = max(-16, top > 0.0f ? ilogb(top) : -16) + 16;
    float unit = ldexp(1.0f, e - 24);
    if ((int)floor(top / unit + 0.5f) == 512) { unit *= 2.0f; ++e; }
    const uint rm = (uint)floor(r / unit + 0.5f), gm = (uint)floor(g / unit + 0.5f), bm = (uint)floor(b / unit + 0.5f);
    o[i] = rm | gm << 9 | bm << 18 | (uint)e << 27;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=33)],
    domain=dict(rgb="finite"),
)
class rgb9e5:
    def inputs(p, rng):
        rgb = rng.standard_normal((p.n, 3)) * 2.0 ** rng.integers(-20, 18, (p.n, 1))
        return dict(rgb=rgb.astype("f4"), o=hl.empty(p.n, "u4"), n=p.n)

    def reference(p, rgb, o, n):
        c = np.clip(rgb.astype("f8"), 0, 65408)
        top = c.max(1)
        e = np.maximum(-16, np.floor(np.log2(np.where(top > 0, top, 2.0**-16)))).astype("i8") + 16
        e = np.where(2.0 ** (e - 16) > np.where(top > 0, top, 9e9), np.maximum(0, e - 1), e)
        unit = 2.0 ** (e - 24)
        more = np.floor(top / unit + 0.5) == 512
        unit, e = np.where(more, unit * 2, unit), e + more
        m = np.floor(c / unit[:, None] + 0.5).astype("i8")
        return dict(o=m[:, 0] | m[:, 1] << 9 | m[:, 2] << 18 | e << 27)

    a = hl.OpenCL(A, "pack", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "clamp", "the largest is 65536", "most = 65408.0f", "most = 65536.0f"),
    ("a", "clamp", "negative numbers count with their size", "fmax(rgb[3 * i + 1], 0.0f)", "fabs(rgb[3 * i + 1])"),
    ("a", "rounding", "mantissas are cut off", "gm = (uint)floor(g / unit + 0.5f)", "gm = (uint)floor(g / unit)"),
    (
        "a",
        "rounding",
        "a carry into the exponent is missed",
        "if ((int)floor(top / unit + 0.5f) == 512) { unit *= 2.0f; ++e; }",
        "",
    ),
    ("a", "symmetry", "blue does not count for the exponent", "fmax(r, fmax(g, b))", "fmax(r, g)"),
    ("a", "bits", "the exponent begins a bit too low", "(uint)e << 27", "(uint)e << 26"),
    ("a", "bounds", "exponents from -15 on", "max(-16, top", "max(-15, top"),
    ("a", "rounding", "halves to even", "(uint)floor(r / unit + 0.5f)", "(uint)rint(r / unit)"),
    (
        "a",
        "zero",
        "zeros have an exponent of their own",
        "top > 0.0f ? ilogb(top) : -16",
        "top > 0.0f ? ilogb(top) : 0",
    ),
    ("a", "index", "red for green", "fmax(rgb[3 * i + 1], 0.0f)", "fmax(rgb[3 * i], 0.0f)"),
]
