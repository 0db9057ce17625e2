"""The pointwise part of an LSTM cell: gates in one array, the cell's state is changed in place."""

import numpy as np

import hotloop as hl

PLAIN = """
float sig(float x) { return 1.0f / (1.0f + exp(-x)); }
__kernel void k(__global const float *g, __global const float *c0, __global float *c, __global float *h, const int b, const int n) {
    const int j = get_global_id(0), r = get_global_id(1);
    if (j >= n || r >= b) return;
    __global const float *row = g + r * 4 * n;
    const float i = sig(row[j]), f = sig(row[n + j] + 1.0f), u = tanh(row[2 * n + j]), o = sig(row[3 * n + j]);
    const float s = f * c0[r * n + j] + i * u;
    c[r * n + j] = s;
    h[r * n + j] = o * tanh(s);
}
"""


@hl.kernel(
    problem=dict(b=33, n=200),
    work=lambda p: hl.Work(flops=30 * p.b * p.n, bytes=28 * p.b * p.n),
    awkward=lambda p: [dict(b=1, n=1), dict(b=5, n=67)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1e-6),
)
class lstm:
    def inputs(p, rng):
        return dict(
            g=rng.standard_normal((p.b, 4 * p.n), "f4"),
            c0=rng.standard_normal((p.b, p.n), "f4"),
            c=hl.empty((p.b, p.n)),
            h=hl.empty((p.b, p.n)),
            b=np.int32(p.b),
            n=np.int32(p.n),
        )

    def reference(p, g, c0, c, h, b, n):
        x = g.astype("f8").reshape(p.b, 4, p.n)
        s = lambda v: 0.5 * (1 + np.tanh(0.5 * v))
        new = s(x[:, 1] + 1) * c0.astype("f8") + s(x[:, 0]) * np.tanh(x[:, 2])
        return dict(c=new, h=s(x[:, 3]) * np.tanh(new))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n, p.b))


MUTANTS = [
    ("plain", "dropped", "no forget bias", "row[n + j] + 1.0f", "row[n + j]"),
    ("plain", "index", "output gate is the update", "o = sig(row[3 * n + j])", "o = sig(row[2 * n + j])"),
    ("plain", "order", "hidden of the old cell", "o * tanh(s)", "o * tanh(c0[r * n + j])"),
    (
        "plain",
        "approx",
        "hard sigmoid far out",
        "return 1.0f / (1.0f + exp(-x));",
        "return x > 6.0f ? 1.0f : x < -6.0f ? 0.0f : 1.0f / (1.0f + exp(-x));",
    ),
    ("plain", "approx", "tanh clipped", "u = tanh(row[2 * n + j])", "u = clamp(row[2 * n + j], -1.0f, 1.0f)"),
    (
        "plain",
        "overflow",
        "a sigmoid that overflows",
        "return 1.0f / (1.0f + exp(-x));",
        "return exp(x) / (1.0f + exp(x));",
    ),
    ("plain", "index", "rows without gaps between gates", "g + r * 4 * n", "g + r * 3 * n"),
]
