"""Soft bits of 16-QAM symbols by the largest of exponents: Gray codes, scaled by noise."""

import numpy as np

import hotloop as hl

A = """
__kernel void soft(__global const float2 *r, __global const float *noise, __global float4 *bits, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float scale = 1 / noise[i];
    const float2 v = r[i], a = fabs(v);
    const float2 outer = select(4 * v, 8 * v - copysign((float2)(8), v), a > 2);
    bits[i] = (float4)(outer.x, 4 * (2 - a.x), outer.y, 4 * (2 - a.y)) * scale;
}
"""


@hl.kernel(
    problem=dict(n=2000),
    work=lambda p: hl.Work(flops=12 * p.n, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    tolerance=hl.Tolerance(terms=8),
    domain=dict(noise="range"),
)
class qam16:
    def inputs(p, rng):
        return dict(
            r=(rng.standard_normal((p.n, 2)) * 2.5).astype("f4"), noise=rng.uniform(0.05, 4, p.n).astype("f4"), bits=hl.empty((p.n, 4), "f4"), n=p.n,
        )  # fmt: skip

    def reference(p, r, noise, bits, n):
        v = r.astype("f8")
        outer = np.where(abs(v) > 2, 8 * v - 8 * np.sign(v), 4 * v)
        inner = 4 * (2 - abs(v))
        return dict(
            bits=np.stack([outer[:, 0], inner[:, 0], outer[:, 1], inner[:, 1]], 1) / noise[:, None].astype("f8")
        )

    def magnitude(p, r, noise, bits, n):
        v = abs(r).astype("f8") * 8 + 8
        return dict(bits=np.repeat(v, 2, 1) / noise[:, None])

    a = hl.OpenCL(A, "soft", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "index",
        "real and imaginary bits are exchanged",
        "(outer.x, 4 * (2 - a.x), outer.y, 4 * (2 - a.y))",
        "(outer.y, 4 * (2 - a.y), outer.x, 4 * (2 - a.x))",
    ),
    ("a", "boundary", "the outer formula from 1.5 on", "a > 2)", "a > 1.5f)"),
    ("a", "sign", "the outer formula is right of zero only", "copysign((float2)(8), v)", "(float2)(8)"),
    ("a", "scalar", "noise is left out", ") * scale;", ");"),
    ("a", "type", "divisions of 11 bits", "1 / noise[i]", "(float)(int)(2048 / noise[i]) / 2048"),
]
