"""A signal from overlapping frames under a window (overlap and add), gathered by sample."""

import numpy as np

import hotloop as hl

A = """
__kernel void ola(__global const float *f, __global const float *w, __global float *y, const int frames, const int n) {
    const int t = get_global_id(0);
    if (t >= n) return;
    const int first = max(0, (t - 64 + 16) / 16), last = min(frames - 1, t / 16);
    float s = 0;
    for (int k = first; k <= last; ++k) s += f[k * 64 + t - 16 * k] * w[t - 16 * k];
    y[t] = s;
}
"""


@hl.kernel(
    problem=dict(frames=200),
    work=lambda p: hl.Work(flops=0, bytes=4 * 64 * p.frames),
    awkward=lambda p: [dict(frames=1), dict(frames=3), dict(frames=65)],
    linear=("f", "w"),
)
class ola:
    def inputs(p, rng):
        return dict(
            f=rng.standard_normal((p.frames, 64), "f4"),
            w=rng.random(64, "f4"),
            y=hl.empty(16 * p.frames + 48, "f4"),
            frames=p.frames,
            n=16 * p.frames + 48,
        )

    def reference(p, f, w, y, frames, n):
        out = np.zeros(16 * p.frames + 48)
        for k in range(p.frames):
            out[16 * k : 16 * k + 64] += f[k].astype("f8") * w
        return dict(y=out)

    a = hl.OpenCL(A, "ola", global_size=lambda p, c: (16 * p.frames + 48,))


MUTANTS = [
    ("a", "tail", "the last frame is not added", "min(frames - 1, t / 16)", "min(max(frames - 2, 0), t / 16)"),
    ("a", "bounds", "frames behind the last are read", "last = min(frames - 1, t / 16)", "last = t / 16"),
    ("a", "bounds", "a frame too early begins", "(t - 64 + 16) / 16", "(t - 64) / 16"),
    ("a", "index", "the window runs backwards", "w[t - 16 * k]", "w[63 - t + 16 * k]"),
    ("a", "uninitialised", "the sum is not set", "float s = 0;", "float s;"),
    (
        "a",
        "zeroed",
        "small samples count as zero",
        "s += f[k * 64 + t - 16 * k] * w",
        "s += (fabs(f[k * 64 + t - 16 * k]) < 1e-4f ? 0 : f[k * 64 + t - 16 * k]) * w",
    ),
]
