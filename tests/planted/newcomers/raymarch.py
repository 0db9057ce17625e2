"""Colours along rays from densities and colours of samples, front to back, ended where almost nothing passes any more."""

import numpy as np

import hotloop as hl

A = """
__kernel void composite(__global const float *sigma, __global const float *colour, __global const float *step, __global const int *count,
                        __global float *o, const int rays, const int most, const float rest) {
    const int r = get_global_id(0);
    if (r >= rays) return;
    float pass = 1.0f;
    float3 sum = (float3)(0.0f);
    for (int i = 0; i < count[r]; ++i) {
        const int at = r * most + i;
        const float alpha = -expm1(-sigma[at] * step[at]);
        sum += pass * alpha * vload3(at, colour);
        pass *= 1.0f - alpha;
    }
    sum += pass * rest;
    vstore4((float4)(sum, 1.0f - pass), r, o);
}
"""


@hl.kernel(
    problem=dict(rays=700, most=48),
    work=lambda p: hl.Work(flops=12 * p.rays * p.most, bytes=20 * p.rays * p.most),
    awkward=lambda p: [dict(rays=1, most=1), dict(rays=33, most=7), dict(rays=65, most=100)],
    tolerance=hl.Tolerance(terms=lambda p: 8 + 4 * p.most, absolute=1e-6),
    domain=dict(sigma="positive", step="positive", count="range", colour="range", rest="range"),
)
class raymarch:
    def inputs(p, rng):
        return dict(
            sigma=rng.exponential(2.0, (p.rays, p.most)).astype("f4"), colour=rng.random((p.rays, p.most, 3), "f4"),
            step=(0.01 + 0.05 * rng.random((p.rays, p.most))).astype("f4"), count=rng.integers(0, p.most + 1, p.rays).astype("i4"),
            o=hl.empty((p.rays, 4)), rays=p.rays, most=p.most, rest=np.float32(rng.random()),
        )  # fmt: skip

    def reference(p, sigma, colour, step, count, o, rays, most, rest):
        out = np.zeros((rays, 4))
        s, c, d = (a.astype("f8") for a in (sigma, colour, step))
        for r in range(rays):
            k = count[r]
            t = np.exp(-np.concatenate([[0], np.cumsum(s[r, :k] * d[r, :k])]))
            w = t[:-1] - t[1:]
            out[r, :3] = w @ c[r, :k] + t[-1] * float(rest)
            out[r, 3] = 1 - t[-1]
        return dict(o=out)

    a = hl.OpenCL(A, "composite", global_size=lambda p, c: (p.rays,))


MUTANTS = [
    ("a", "stride", "rows are as long as their count", "r * most + i", "r * count[r] + i"),
    ("a", "scalar", "the background is black", "    sum += pass * rest;\n", ""),
    (
        "a",
        "precision",
        "one minus exp without expm1",
        "-expm1(-sigma[at] * step[at])",
        "1.0f - native_exp(-sigma[at] * step[at])",
    ),
    (
        "a",
        "order",
        "light is dimmed before it is added",
        "        sum += pass * alpha * vload3(at, colour);\n        pass *= 1.0f - alpha;",
        "        pass *= 1.0f - alpha;\n        sum += pass * alpha * vload3(at, colour);",
    ),
    ("a", "tail", "the last sample is left", "i < count[r]; ++i", "i < count[r] - 1; ++i"),
    (
        "a",
        "early",
        "ends where a hundredth passes",
        "pass *= 1.0f - alpha;\n",
        "pass *= 1.0f - alpha;\n        if (pass < 0.01f) break;\n",
    ),
    ("a", "result", "opacity of the last sample", "1.0f - pass), r", "pass), r"),
]
