"""Prices of options under Bachelier's model: spot, strike, rate, volatility and years are columns of one array."""

import numpy as np

import hotloop as hl

S = r"""
// one option a row: spot, strike, rate, volatility, years; Cox-Ross-Rubinstein is too slow, so a Bachelier price
__kernel void bachelier(__global const float *o, __global float *price, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float s = o[5 * i], k = o[5 * i + 1], r = o[5 * i + 2], v = o[5 * i + 3], t = o[5 * i + 4];
    const float w = v * s * sqrt(t), f = s * exp(r * t), d = (f - k) / w;
    const float pdf = 0.3989422804f * exp(-0.5f * d * d), cdf = 0.5f * erfc(-d * 0.70710678118f);
    price[i] = exp(-r * t) * ((f - k) * cdf + w * pdf);
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=50 * p.n, bytes=24 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=999)],
    tolerance=hl.Tolerance(terms=16, absolute=3e-4),
)
class bachelier:
    def inputs(p, rng):
        cols = [
            rng.uniform(80, 120, p.n),
            rng.uniform(70, 130, p.n),
            rng.uniform(0.0, 0.05, p.n),
            rng.uniform(0.1, 0.4, p.n),
            rng.uniform(0.25, 2, p.n),
        ]
        return dict(o=np.stack(cols, 1).astype("f4"), price=hl.empty(p.n), n=p.n)

    def reference(p, o, price, n):
        from math import erfc

        s, k, r, v, t = o.astype("f8").T
        w, f = v * s * np.sqrt(t), s * np.exp(r * t)
        d = (f - k) / w
        cdf = 0.5 * np.array([erfc(x) for x in -d / np.sqrt(2)])
        return dict(price=np.exp(-r * t) * ((f - k) * cdf + w * np.exp(-0.5 * d * d) / np.sqrt(2 * np.pi)))

    plain = hl.OpenCL(S, "bachelier", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "scalar", "the rate is dropped in the discount", "exp(-r * t) * ((f", "((f"),
    (
        "plain",
        "index",
        "volatility and years exchanged",
        "v = o[5 * i + 3], t = o[5 * i + 4]",
        "v = o[5 * i + 4], t = o[5 * i + 3]",
    ),
]
