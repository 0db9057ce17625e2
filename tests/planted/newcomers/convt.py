"""Transposed convolution in one dimension: stride, padding, output padding by size."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *w, __global float *y, const int ci, const int co, const int n, const int m, const int t, const int s, const int p) {
    const int o = get_global_id(0), f = get_global_id(1);
    if (o >= m || f >= co) return;
    float sum = 0.0f;
    for (int g = 0; g < ci; ++g)
        for (int q = 0; q < t; ++q) {
            const int at = o + p - q;
            if (at >= 0 && at % s == 0 && at / s < n) sum += x[g * n + at / s] * w[(g * co + f) * t + q];
        }
    y[f * m + o] = sum;
}
"""


@hl.kernel(
    problem=dict(ci=8, co=5, n=60, t=4, s=2, p=1),
    work=lambda p: hl.Work(flops=2 * p.ci * p.co * p.n * p.t, bytes=4 * (p.ci * p.n + p.co * p.n * p.s)),
    awkward=lambda p: [
        dict(ci=1, co=1, n=1, t=1, s=1, p=0),
        dict(ci=3, co=4, n=17, t=5, s=3, p=2),
        dict(ci=2, co=3, n=9, t=3, s=4, p=0),
    ],
    tolerance=hl.Tolerance(terms=lambda p: p.ci * p.t, absolute=1e-6),
)
class convt:
    def inputs(p, rng):
        m = max(1, (p.n - 1) * p.s - 2 * p.p + p.t)
        i = lambda v: np.int32(v)
        return dict(
            x=rng.standard_normal((p.ci, p.n), "f4"),
            w=rng.standard_normal((p.ci, p.co, p.t), "f4"),
            y=hl.empty((p.co, m)),
            ci=i(p.ci),
            co=i(p.co),
            n=i(p.n),
            m=i(m),
            t=i(p.t),
            s=i(p.s),
            p=i(p.p),
        )

    def reference(P, x, w, y, ci, co, n, m, t, s, p):
        full = np.zeros((P.co, (P.n - 1) * P.s + P.t + 2 * P.p + 1))
        for q in range(P.t):
            full[:, q : q + (P.n - 1) * P.s + 1 : P.s] += w[:, :, q].astype("f8").T @ x.astype("f8")
        return dict(y=full[:, P.p : P.p + int(m)])

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (max(1, (p.n - 1) * p.s - 2 * p.p + p.t), p.co))


MUTANTS = [
    ("plain", "dropped", "no padding", "o + p - q", "o - q"),
    ("plain", "order", "taps turned round", "* t + q];", "* t + t - 1 - q];"),
    ("plain", "bounds", "one input too far", "at / s < n", "at / s <= n"),
    ("plain", "bounds", "negative places", "at >= 0 && at % s", "at % s"),
    ("plain", "index", "weights by the other channel", "(g * co + f)", "(f * ci + g)"),
    (
        "plain",
        "dropped",
        "stride two for all",
        "at % s == 0 && at / s < n",
        "at % s == 0 && (s == 2 ? at >> 1 : at / s) < n - (s == 3)",
    ),
]
