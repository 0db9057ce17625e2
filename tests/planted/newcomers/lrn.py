"""Local response normalisation across channels: each value over a power of the mean square of five channels around it."""

import numpy as np

import hotloop as hl

A = """
__kernel void lrn(__global const float *x, __global float *y, const int channels, const int area, const float alpha, const float k0) {
    const int at = get_global_id(0);
    if (at >= area) return;
    float sum = 0.0f;
    for (int c = 0; c < min(3, channels); ++c) { const float v = x[c * area + at]; sum = fma(v, v, sum); }
    for (int c = 0; c < channels; ++c) {
        const float v = x[c * area + at];
        y[c * area + at] = v * powr(fma(alpha / 5.0f, sum, k0), -0.75f);
        sum = 0.0f;
        for (int d = max(0, c - 1); d <= min(channels - 1, c + 3); ++d) { const float w = x[d * area + at]; sum = fma(w, w, sum); }
    }
}
"""


@hl.kernel(
    problem=dict(channels=24, area=900),
    work=lambda p: hl.Work(flops=14 * p.channels * p.area, bytes=8 * p.channels * p.area),
    awkward=lambda p: [dict(channels=1, area=1), dict(channels=2, area=65), dict(channels=5, area=33)],
    tolerance=hl.Tolerance(terms=32),
)
class lrn:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.channels, p.area), "f4"),
            y=hl.empty((p.channels, p.area)),
            channels=p.channels,
            area=p.area,
            alpha=np.float32(0.5 + rng.random()),
            k0=np.float32(1 + rng.random()),
        )

    def reference(p, x, y, channels, area, alpha, k0):
        sq = np.pad(x.astype("f8") ** 2, ((2, 2), (0, 0)))
        total = sum(sq[d : d + p.channels] for d in range(5))
        return dict(y=x * (k0 + alpha / 5 * total) ** -0.75)

    a = hl.OpenCL(A, "lrn", global_size=lambda p, c: (p.area,))


MUTANTS = [
    ("a", "window", "the window is of four", "max(0, c - 1)", "max(0, c)"),
    ("a", "bounds", "channels behind the last", "min(channels - 1, c + 3)", "min(channels, c + 3)"),
    ("a", "scalar", "alpha is not divided", "alpha / 5.0f", "alpha"),
    ("a", "scalar", "the constant is one", "sum, k0)", "sum, 1.0f)"),
    ("a", "bounds", "two channels are met as three", "c < min(3, channels)", "c < 3"),
    ("a", "power", "another power", "-0.75f", "-0.5f"),
    (
        "a",
        "sign",
        "squares of negative values are a thousandth too small",
        "sum = fma(w, w, sum)",
        "sum = fma(w, fmax(w, w * 0.999f), sum)",
    ),
]
