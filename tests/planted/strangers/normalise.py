"""Bytes of an interleaved image to planes of floats: (x / 255 − mean) / deviation by channel."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void planes(__global const uchar *x, __global const float *mean, __global const float *dev, __global float *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    for (int c = 0; c < 3; ++c) y[c * n + i] = (x[3 * i + c] / 255.0f - mean[c]) / dev[c];
}
"""
FUSED = """
__kernel void planes(__global const uchar *x, __global const float *mean, __global const float *dev, __global float *y, const int n) {
    const int i = get_global_id(0), c = get_global_id(1);
    if (i >= n) return;
    const float scale = 1.0f / (255.0f * dev[c]), shift = mean[c] / dev[c];
    y[c * n + i] = (float)x[3 * i + c] * scale - shift;
}
"""


@hl.kernel(
    problem=dict(n=30000),
    work=lambda p: hl.Work(flops=6 * p.n, bytes=15 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77), dict(n=1025)],
    tolerance=hl.Tolerance(absolute=3e-6),
)
class normalise:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.n, 3), dtype="u1"), mean=rng.uniform(0.4, 0.5, 3).astype("f4"),
            dev=rng.uniform(0.2, 0.3, 3).astype("f4"), y=hl.empty((3, p.n)), n=np.int32(p.n),
        )  # fmt: skip

    def reference(p, x, mean, dev, y, n):
        return dict(y=((x / 255.0 - mean.astype("f8")) / dev.astype("f8")).T)

    plain = hl.OpenCL(PLAIN, "planes", global_size=lambda p, c: (p.n,))
    fused = hl.OpenCL(FUSED, "planes", global_size=lambda p, c: (p.n, 3))


MUTANTS = [
    ("plain", "constant", "divides by 256", "255.0f", "256.0f"),
    ("plain", "signed", "bytes are signed", "x[3 * i + c] / 255.0f", "as_char(x[3 * i + c]) / 255.0f"),
    ("plain", "integer", "an integer division", "x[3 * i + c] / 255.0f", "(float)(x[3 * i + c] / 255)"),
    ("plain", "swap", "red and blue are swapped", "y[c * n + i]", "y[(2 - c) * n + i]"),
    ("fused", "shift", "the mean is not divided by the deviation", "mean[c] / dev[c]", "mean[c]"),
    ("fused", "half", "the scale has 12 bits", "1.0f / (255.0f * dev[c])", "rint(4096.0f * 64.0f / (255.0f * dev[c])) / (4096.0f * 64.0f)"),
    ("fused", "stride", "pixels are four bytes apart", "x[3 * i + c]", "x[(4 * i + c) % (3 * n)]"),
    ("plain", "last", "the last pixel is lost", "i >= n", "i >= n - (n > 1)"),
]  # fmt: skip
