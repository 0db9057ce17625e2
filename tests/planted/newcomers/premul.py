"""Pixels with their colours multiplied by what covers them, rounded to the nearest; four bytes each."""

import numpy as np

import hotloop as hl

A = """
__kernel void premul(__global const uchar4 *in, __global uchar4 *out, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uchar4 p = in[i];
    const uint3 t = convert_uint3(p.xyz) * (uint)p.w + 128u;
    out[i] = (uchar4)(convert_uchar3((t + (t >> 8)) >> 8), p.w);
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
)
class premul:
    def inputs(p, rng):
        return {"in": rng.integers(0, 256, (p.n, 4), dtype="u1"), "out": hl.empty((p.n, 4), "u1"), "n": np.int32(p.n)}

    def reference(p, **given):
        v = given["in"].astype("i8")
        made = (2 * v[:, :3] * v[:, 3:] + 255) // 510
        return {"out": np.c_[made, v[:, 3]].astype("u1")}

    a = hl.OpenCL(A, "premul", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "rounding", "256 instead of 255", "(t + (t >> 8)) >> 8", "t >> 8"),
    ("a", "rounding", "rounded down", "+ 128u", "+ 1u"),
    (
        "a",
        "swap",
        "the cover is one of the colours",
        "convert_uchar3((t + (t >> 8)) >> 8), p.w)",
        "convert_uchar3((t + (t >> 8)) >> 8), p.z)",
    ),
    ("a", "narrow", "products of fifteen bits", "(t + (t >> 8)) >> 8", "((t & 0x7FFFu) + ((t & 0x7FFFu) >> 8)) >> 8"),
    ("a", "rounding", "127 instead of 128", "+ 128u", "+ 127u"),
    ("a", "bounds", "the last pixel", "if (i >= n)", "if (i >= n - 1)"),
]
