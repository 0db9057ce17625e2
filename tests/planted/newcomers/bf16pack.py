"""Rounding to 16 bits by the bits of the number: half to even, NaN stays NaN."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const float *x, __global ushort *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint b = as_uint(x[i]);
    if ((b & 0x7fffffffu) > 0x7f800000u) { o[i] = (ushort)(b >> 16 | 0x40u); return; }
    o[i] = (ushort)((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
}
"""


@hl.kernel(
    problem=dict(n=10000),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77)],
    domain=dict(x="any"),
)
class bf16pack:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(p.n, "f4"), o=hl.empty(p.n, "u2"), n=np.int32(p.n))

    def reference(p, x, o, n):
        b = x.view("u4").astype("u8")
        r = (b + 0x7FFF + (b >> 16 & 1)) >> 16
        return dict(o=np.where(np.isnan(x), b >> 16 | 0x40, r & 0xFFFF).astype("u2"))

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "ties", "halves go up instead of to even", "0x7fffu + ((b >> 16) & 1u)", "0x8000u"),
    ("plain", "truncate", "truncated", "(b + 0x7fffu + ((b >> 16) & 1u)) >> 16", "b >> 16"),
    (
        "plain",
        "nan",
        "NaN may become infinite",
        "if ((b & 0x7fffffffu) > 0x7f800000u) { o[i] = (ushort)(b >> 16 | 0x40u); return; }",
        "",
    ),
    (
        "plain",
        "flush",
        "subnormals become zero",
        "const uint b = as_uint(x[i]);",
        "uint b = as_uint(x[i]); if (!(b & 0x7f800000u)) b &= 0x80000000u;",
    ),
    (
        "plain",
        "sign",
        "minus zero loses its sign",
        "const uint b = as_uint(x[i]);",
        "uint b = as_uint(x[i]); if (b == 0x80000000u) b = 0u;",
    ),
]
