"""Power of chosen tones in frames, by Goertzel's recursion."""

import numpy as np

import hotloop as hl

A = """
__kernel void tones(__global const float *x, __global const float *coefficient, __global float *power, const int frames, const int length, const int tones) {
    const int f = get_global_id(0), t = get_global_id(1);
    if (f >= frames || t >= tones) return;
    const float c = coefficient[t];
    float a = 0.0f, b = 0.0f;
    for (int i = 0; i < length; ++i) {
        const float s = fma(c, a, x[f * length + i] - b);
        b = a;
        a = s;
    }
    power[f * tones + t] = (a * a + b * b - c * a * b) / length;
}
"""


@hl.kernel(
    problem=dict(frames=60, length=205, tones=8),
    work=lambda p: hl.Work(flops=3 * p.frames * p.length * p.tones, bytes=4 * p.frames * p.length),
    awkward=lambda p: [dict(frames=1, length=1, tones=1), dict(frames=13, length=64, tones=3)],
    tolerance=hl.Tolerance(terms=lambda p: 8 * p.length, absolute=1e-3),
    domain=dict(coefficient="range"),
)
class goertzel:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.frames, p.length), "f4"),
            coefficient=(2 * np.cos(rng.uniform(0.2, 2.9, p.tones))).astype("f4"),
            power=hl.empty((p.frames, p.tones)),
            frames=p.frames,
            length=p.length,
            tones=p.tones,
        )

    def reference(p, x, coefficient, power, frames, length, tones):
        c = coefficient.astype("f8")
        a, b = np.zeros((frames, tones)), np.zeros((frames, tones))
        for i in range(length):
            a, b = c * a + x[:, i : i + 1].astype("f8") - b, a
        return dict(power=(a * a + b * b - c * a * b) / length)

    a = hl.OpenCL(A, "tones", global_size=lambda p, c: (p.frames, p.tones))


MUTANTS = [
    ("a", "edge", "the last sample is left out", "i < length; ++i", "i < length - 1; ++i"),
    ("a", "sign", "the product of the last two is added", "- c * a * b", "+ c * a * b"),
    ("a", "scale", "not divided by the length", "/ length;", "/ 205;"),
    ("a", "stride", "coefficients by frame", "coefficient[t]", "coefficient[f % tones]"),
]
