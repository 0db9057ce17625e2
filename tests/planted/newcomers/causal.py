"""Depthwise convolution over time, causal, with state of the last steps before the call, bias and SiLU."""

import numpy as np

import hotloop as hl

STEP = """
__kernel void k(__global const float *x, __global const float *w, __global const float *b, __global const float *past, __global float *y, const int chans, const int steps) {
    const int t = get_global_id(0), c = get_global_id(1);
    if (t >= steps || c >= chans) return;
    float sum = b[c];
    for (int j = 0; j < 4; ++j) {
        const int s = t + j - 3;
        sum += w[4 * c + j] * (s < 0 ? past[3 * c + s + 3] : x[c * steps + s]);
    }
    y[c * steps + t] = sum / (1.0f + exp(-sum));
}
"""


@hl.kernel(
    problem=dict(chans=40, steps=100),
    work=lambda p: hl.Work(flops=12 * p.chans * p.steps, bytes=8 * p.chans * p.steps),
    awkward=lambda p: [dict(chans=1, steps=1), dict(chans=3, steps=2), dict(chans=17, steps=65)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1e-6),
)
class causal:
    def inputs(p, rng):
        g = lambda *s: rng.standard_normal(s).astype("f4")
        return dict(
            x=g(p.chans, p.steps),
            w=g(p.chans, 4),
            b=g(p.chans),
            past=g(p.chans, 3),
            y=hl.empty((p.chans, p.steps)),
            chans=np.int32(p.chans),
            steps=np.int32(p.steps),
        )

    def reference(p, x, w, b, past, y, chans, steps):
        whole = np.concatenate([past, x], 1).astype("f8")
        z = b[:, None].astype("f8") + sum(w[:, j : j + 1].astype("f8") * whole[:, j : j + p.steps] for j in range(4))
        with np.errstate(over="ignore"):
            return dict(y=z / (1 + np.exp(-z)))

    step = hl.OpenCL(STEP, "k", global_size=lambda p, c: (p.steps, p.chans))


MUTANTS = [
    ("step", "state", "no past", "s < 0 ? past[3 * c + s + 3]", "s < 0 ? 0.0f"),
    ("step", "order", "the past is turned round", "past[3 * c + s + 3]", "past[3 * c - s - 1]"),
    ("step", "order", "taps in the other order", "w[4 * c + j]", "w[4 * c + 3 - j]"),
    ("step", "bias", "the bias of the first channel", "sum = b[c]", "sum = b[0]"),
    ("step", "range", "large negative sums are not zero", "exp(-sum)", "exp(fmin(-sum, 8.0f))"),
]
