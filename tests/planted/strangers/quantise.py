"""Rows of floats to signed bytes: scale from the largest magnitude, rounding half to even, clamped."""

import numpy as np

import hotloop as hl

FIXED = """
__kernel void quantise(__global const float *x, __global char *q, const float scale, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = rint(x[i] / scale);
    q[i] = (char)clamp(v, -127.0f, 127.0f);
}
"""
VECTOR = """
__kernel void quantise(__global const float *x, __global char *q, const float scale, const int n) {
    const int i = 4 * get_global_id(0);
    if (i + 3 < n) {
        const float4 v = vload4(0, x + i) / scale;
        vstore4(convert_char4(clamp(rint(v), -127.0f, 127.0f)), 0, q + i);
    } else {
        for (int j = i; j < n; ++j) q[j] = (char)clamp(rint(x[j] / scale), -127.0f, 127.0f);
    }
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=2 * p.n, bytes=5 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=103), dict(n=1026)],
)
class quantise:
    def inputs(p, rng):
        x = (3 * rng.standard_normal(p.n)).astype("f4")
        return dict(x=x, q=hl.empty(p.n, "int8"), scale=0.0625, n=np.int32(p.n))

    def reference(p, x, q, scale, n):
        return dict(q=np.clip(np.rint(x.astype("f8") / np.float32(scale)), -127, 127).astype("i1"))

    plain = hl.OpenCL(FIXED, "quantise", global_size=lambda p, c: (p.n,))
    vector = hl.OpenCL(VECTOR, "quantise", global_size=lambda p, c: (-(-p.n // 4),))


MUTANTS = [
    ("plain", "rounding", "halves are rounded away from zero", "rint(", "round("),
    ("plain", "rounding", "cut instead of rounded", "rint(x[i] / scale)", "trunc(x[i] / scale)"),
    ("plain", "clamp", "the lower limit is -128", "-127.0f", "-128.0f"),
    ("plain", "clamp", "no clamp: large values wrap", "(char)clamp(v, -127.0f, 127.0f)", "(char)(int)v"),
    ("vector", "rounding", "rounds by adding a half", "rint(v)", "floor(v + 0.5f)"),
    ("vector", "tail", "the tail is not clamped", "(char)clamp(rint(x[j] / scale), -127.0f, 127.0f)", "(char)(int)rint(x[j] / scale)"),
    ("vector", "tail", "three elements of the tail only", "j < n; ++j", "j < n && j < i + 2; ++j"),
    ("plain", "scalar", "the scale is a constant", "x[i] / scale", "x[i] * 16.0f"),
]  # fmt: skip
