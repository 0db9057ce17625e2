"""Two voices of 16 bits are mixed with gains in 1/256, rounded and saturated."""

import numpy as np

import hotloop as hl

A = """
__kernel void mix(__global const short *a, __global const short *b, __global short *y, const int ga, const int gb, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    y[i] = convert_short_sat((a[i] * ga + b[i] * gb + 128) >> 8);
}
"""
V = """
__kernel void mix(__global const short *a, __global const short *b, __global short *y, const int ga, const int gb, const int n) {
    const int i = 4 * get_global_id(0);
    if (i + 4 <= n) {
        const int4 s = convert_int4(vload4(0, a + i)) * ga + convert_int4(vload4(0, b + i)) * gb;
        vstore4(convert_short4_sat((s + 128) >> 8), 0, y + i);
    } else {
        for (int k = i; k < n; ++k) y[k] = convert_short_sat((a[k] * ga + b[k] * gb + 128) >> 8);
    }
}
"""


@hl.kernel(
    problem=dict(n=5001),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=4), dict(n=7)],
    domain=dict(a="any", b="any"),
)
class pcmmix:
    def inputs(p, rng):
        return dict(
            a=rng.integers(-32768, 32768, p.n, dtype="i2"), b=rng.integers(-32768, 32768, p.n, dtype="i2"), y=hl.empty(p.n, "i2"),
            ga=np.int32(rng.integers(-512, 513)), gb=np.int32(rng.integers(-512, 513)), n=p.n,
        )  # fmt: skip

    def reference(p, a, b, y, ga, gb, n):
        s = a.astype("i8") * int(ga) + b.astype("i8") * int(gb)
        return dict(y=np.clip((s + 128) >> 8, -32768, 32767))

    a = hl.OpenCL(A, "mix", global_size=lambda p, c: (p.n,))
    v = hl.OpenCL(V, "mix", global_size=lambda p, c: ((p.n + 3) // 4,))


MUTANTS = [
    ("a", "saturation", "wraps", "convert_short_sat(", "(short)("),
    ("a", "rounding", "rounded down", " + 128) >> 8", ") >> 8"),
    ("a", "rounding", "division truncates towards zero", ">> 8)", "/ 256)"),
    ("v", "tail", "the tail is lost", "k < n; ++k) y[k]", "k < n - 4; ++k) y[k]"),
    ("v", "scalar", "one gain for both", "* gb;\n", "* ga;\n"),
    ("v", "bounds", "the last four are left to nobody", "i + 4 <= n", "i + 4 < n + 4"),
    (
        "a",
        "type",
        "each part is rounded to 16 bits first",
        "(a[i] * ga + b[i] * gb + 128) >> 8",
        "((a[i] * ga) >> 8) + ((b[i] * gb + 128) >> 8)",
    ),
]
