"""Samples of an image at given points, bilinear, clamped at the edges."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void sample(__global const float *x, __global const float2 *at, __global float *y, const int h, const int w, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float u = clamp(at[i].x, 0.0f, (float)(w - 1)), v = clamp(at[i].y, 0.0f, (float)(h - 1));
    const int c0 = (int)u, r0 = (int)v, c1 = min(c0 + 1, w - 1), r1 = min(r0 + 1, h - 1);
    const float fu = u - c0, fv = v - r0;
    y[i] = (1 - fv) * ((1 - fu) * x[r0 * w + c0] + fu * x[r0 * w + c1]) + fv * ((1 - fu) * x[r1 * w + c0] + fu * x[r1 * w + c1]);
}
"""
MIX = PLAIN.replace(
    "y[i] = (1 - fv) * ((1 - fu) * x[r0 * w + c0] + fu * x[r0 * w + c1]) + fv * ((1 - fu) * x[r1 * w + c0] + fu * x[r1 * w + c1]);",
    "const float top = mix(x[r0 * w + c0], x[r0 * w + c1], fu), low = mix(x[r1 * w + c0], x[r1 * w + c1], fu);\n    y[i] = mix(top, low, fv);",
)


@hl.kernel(
    problem=dict(h=40, w=50, n=5000),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(h=1, w=1, n=1), dict(h=3, w=7, n=101), dict(h=8, w=2, n=65)],
    tolerance=hl.Tolerance(terms=lambda p: 8, absolute=1e-5),
)
class bilinear:
    def inputs(p, rng):
        at = np.stack([rng.uniform(-1, p.w, p.n), rng.uniform(-1, p.h, p.n)], axis=1).astype("f4")
        return dict(
            x=rng.random((p.h, p.w), "f4"), at=at, y=hl.empty(p.n), h=np.int32(p.h), w=np.int32(p.w), n=np.int32(p.n)
        )  # fmt: skip

    def reference(p, x, at, y, h, w, n):
        u, v = np.clip(at[:, 0].astype("f8"), 0, p.w - 1), np.clip(at[:, 1].astype("f8"), 0, p.h - 1)
        c0, r0 = u.astype(int), v.astype(int)
        c1, r1 = np.minimum(c0 + 1, p.w - 1), np.minimum(r0 + 1, p.h - 1)
        fu, fv, g = u - c0, v - r0, x.astype("f8")
        return dict(y=(1 - fv) * ((1 - fu) * g[r0, c0] + fu * g[r0, c1]) + fv * ((1 - fu) * g[r1, c0] + fu * g[r1, c1]))

    plain = hl.OpenCL(PLAIN, "sample", global_size=lambda p, c: (p.n,))
    mixed = hl.OpenCL(MIX, "sample", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "edge", "the last column is no neighbour", "min(c0 + 1, w - 1)", "min(c0 + 1, max(w - 2, 0))"),
    (
        "plain",
        "swap",
        "fractions are exchanged",
        "const float fu = u - c0, fv = v - r0;",
        "const float fv = u - c0, fu = v - r0;",
    ),
    ("plain", "clamp", "clamped one short", "(float)(w - 1))", "(float)(w - 1) - 0.5f)"),
    ("mixed", "nearest", "rounded columns", "(int)u", "(int)(u + 0.5f)"),
    ("mixed", "stride", "rows are h apart", "x[r1 * w + c0]", "x[min(r1 * h + c0, h * w - 1)]"),
    (
        "mixed",
        "precision",
        "fractions in eight bits",
        "const float fu = u - c0,",
        "const float fu = rint((u - c0) * 256) / 256,",
    ),
]
