"""Levinson and Durbin: coefficients of linear prediction and what is left, a frame a work-item, from autocorrelations."""

import numpy as np

import hotloop as hl

A = """
#define MOST 16
__kernel void levinson(__global const float *r, __global float *a, __global float *rest, const int frames, const int order) {
    const int f = get_global_id(0);
    if (f >= frames) return;
    __global const float *c = r + f * (order + 1);
    float w[MOST], old[MOST];
    float e = c[0];
    for (int i = 0; i < order; ++i) w[i] = 0.0f;
    for (int i = 0; i < order; ++i) {
        float k = c[i + 1];
        for (int j = 0; j < i; ++j) k -= w[j] * c[i - j];
        k = e > 0.0f ? k / e : 0.0f;
        for (int j = 0; j < i; ++j) old[j] = w[j];
        for (int j = 0; j < i; ++j) w[j] = old[j] - k * old[i - 1 - j];
        w[i] = k;
        e *= 1.0f - k * k;
    }
    for (int i = 0; i < order; ++i) a[f * order + i] = w[i];
    rest[f] = e;
}
"""


@hl.kernel(
    problem=dict(frames=400, order=10),
    work=lambda p: hl.Work(flops=2 * p.frames * p.order**2, bytes=8 * p.frames * p.order),
    awkward=lambda p: [dict(frames=1, order=1), dict(frames=65, order=16), dict(frames=33, order=4)],
    tolerance=hl.Tolerance(terms=lambda p: 400, absolute=1e-3),
    domain=dict(r="definite", order="fixed"),
)
class levinson:
    def inputs(p, rng):
        x = rng.standard_normal((p.frames, 200))
        r = np.stack([(x[:, : 200 - k] * x[:, k:]).sum(axis=1) for k in range(p.order + 1)], axis=1)
        r[rng.random(p.frames) < 0.05] = 0
        return dict(
            r=r.astype("f4"), a=hl.empty((p.frames, p.order)), rest=hl.empty(p.frames), frames=p.frames, order=p.order
        )

    def reference(p, r, a, rest, frames, order):
        out, left = np.zeros((frames, order)), np.zeros(frames)
        for f in range(frames):
            c = r[f].astype("f8")
            w, e = np.zeros(order), c[0]
            for i in range(order):
                k = (c[i + 1] - w[:i] @ c[i:0:-1]) / e if e > 0 else 0.0
                w[:i] = w[:i] - k * w[:i][::-1]
                w[i] = k
                e *= 1 - k * k
            out[f], left[f] = w, e
        return dict(a=out, rest=left)

    a = hl.OpenCL(A, "levinson", global_size=lambda p, c: (p.frames,))


MUTANTS = [
    ("a", "branch", "silence divides by zero", "k = e > 0.0f ? k / e : 0.0f;", "k = k / e;"),
    (
        "a",
        "aliasing",
        "coefficients are changed in place",
        "w[j] = old[j] - k * old[i - 1 - j]",
        "w[j] = w[j] - k * w[i - 1 - j]",
    ),
    ("a", "index", "lags one too small", "w[j] * c[i - j]", "w[j] * c[i - j - (i > j + 1)]"),
    ("a", "stride", "frames without the lag at zero", "r + f * (order + 1)", "r + f * order"),
    ("a", "sign", "what is left grows", "e *= 1.0f - k * k", "e *= 1.0f + k * k"),
]
