"""Envelopes of sounds: they follow the level at two rates; louder than a limit is lowered by a ratio, samples in 16 bits, rounded and clipped."""

import numpy as np

import hotloop as hl

A = """
__kernel void compress(__global const short *x, __global short *o, const float attack, const float release, const float limit, const float ratio, const int channels, const int n) {
    const int c = get_global_id(0);
    if (c >= channels) return;
    float level = 0.0f;
    for (int i = 0; i < n; ++i) {
        const int v = x[i * channels + c];
        const float a = fabs((float)v);
        level += (a > level ? attack : release) * (a - level);
        const float gain = level > limit ? (limit + (level - limit) / ratio) / level : 1.0f;
        o[i * channels + c] = convert_short_sat_rte(v * gain);
    }
}
"""


@hl.kernel(
    problem=dict(channels=5, n=800),
    work=lambda p: hl.Work(flops=10 * p.channels * p.n, bytes=4 * p.channels * p.n),
    awkward=lambda p: [dict(channels=1, n=1), dict(channels=3, n=65), dict(channels=70, n=20)],
    tolerance=hl.Tolerance(absolute=1.01),
    domain=dict(attack="range", release="range"),
)
class compressor:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-(2**15), 2**15, (p.n, p.channels)).astype("i2"), o=hl.empty((p.n, p.channels), "i2"), attack=np.float32(0.25),
            release=np.float32(0.0625), limit=np.float32(12000.0), ratio=np.float32(4.0), channels=p.channels, n=p.n,
        )  # fmt: skip

    def reference(p, x, o, attack, release, limit, ratio, channels, n):
        level, out = np.zeros(channels), np.zeros((n, channels))
        for i in range(n):
            v = x[i].astype("f8")
            a = np.abs(v)
            level = level + np.where(a > level, float(attack), float(release)) * (a - level)
            top = np.maximum(level, 1e-30)
            gain = np.where(level > limit, (float(limit) + (level - float(limit)) / float(ratio)) / top, 1.0)
            out[i] = np.clip(np.rint(v * gain), -(2**15), 2**15 - 1)
        return dict(o=out)

    a = hl.OpenCL(A, "compress", global_size=lambda p, c: (p.channels,))


MUTANTS = [
    ("a", "narrow", "the magnitude in 16 bits", "fabs((float)v)", "(short)abs((short)v)"),
    ("a", "swap", "attack and release change places", "a > level ? attack : release", "a > level ? release : attack"),
    ("a", "stride", "channels one after the other", "const int v = x[i * channels + c]", "const int v = x[c * n + i]"),
    ("a", "scalar", "the ratio is four", "/ ratio) / level", "/ 4.0f) / level"),
    ("a", "start", "the level starts at the first sample", "float level = 0.0f;", "float level = fabs((float)x[c]);"),
]
