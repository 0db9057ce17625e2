"""The weighted average of a linear-attention recurrence, kept stable by a running maximum of exponents."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void wkv(__global const float *w, __global const float *u, __global const float *k, __global const float *v, __global float *y,
                  const int t, const int c) {
    const int i = get_global_id(0);
    if (i >= c) return;
    float a = 0.0f, b = 0.0f, top = -1e38f;
    const float bonus = u[i], decay = -exp(w[i]);
    for (int s = 0; s < t; ++s) {
        const float kk = k[s * c + i], vv = v[s * c + i];
        float m = fmax(top, bonus + kk), e1 = exp(top - m), e2 = exp(bonus + kk - m);
        y[s * c + i] = (e1 * a + e2 * vv) / (e1 * b + e2);
        m = fmax(top + decay, kk);
        e1 = exp(top + decay - m);
        e2 = exp(kk - m);
        a = e1 * a + e2 * vv;
        b = e1 * b + e2;
        top = m;
    }
}
"""


@hl.kernel(
    problem=dict(t=128, c=200),
    work=lambda p: hl.Work(flops=14 * p.t * p.c, bytes=12 * p.t * p.c),
    awkward=lambda p: [dict(t=1, c=1), dict(t=17, c=65), dict(t=40, c=3)],
    tolerance=hl.Tolerance(terms=lambda p: 8 * p.t, absolute=1e-4),
)
class wkv:
    def inputs(p, rng):
        return dict(
            w=rng.uniform(-4, 0.5, p.c).astype("f4"),
            u=rng.standard_normal(p.c, "f4"),
            k=rng.standard_normal((p.t, p.c), "f4"),
            v=rng.standard_normal((p.t, p.c), "f4"),
            y=hl.empty((p.t, p.c)),
            t=np.int32(p.t),
            c=np.int32(p.c),
        )

    def reference(p, w, u, k, v, y, t, c):
        decay, k, v, out = np.exp(w.astype("f8")), k.astype("f8"), v.astype("f8"), np.empty((p.t, p.c))
        for s in range(p.t):
            weight = k[: s + 1] - np.arange(s - 1, -2, -1)[:, None] * decay
            weight[s] = k[s] + u
            weight = np.exp(weight - weight.max(axis=0))
            out[s] = (weight * v[: s + 1]).sum(axis=0) / weight.sum(axis=0)
        return dict(y=out)

    plain = hl.OpenCL(SOURCE, "wkv", global_size=lambda p, c: (p.c,))


MUTANTS = [
    (
        "plain",
        "formula",
        "the maximum is not decayed",
        "m = fmax(top + decay, kk);\n        e1 = exp(top + decay - m);",
        "m = fmax(top, kk);\n        e1 = exp(top - m + decay);\n        m += decay;",
    ),
    ("plain", "stability", "exponents are not shifted", "float m = fmax(top, bonus + kk)", "float m = 0.0f"),
    ("plain", "start", "the maximum starts at zero", "top = -1e38f", "top = 0.0f"),
    ("plain", "state", "the first step takes no part", "b = e1 * b + e2;", "b = e1 * b + (s ? e2 : 0.0f);"),
    (
        "plain",
        "limit",
        "the bonus in the state",
        "m = fmax(top + decay, kk);",
        "m = fmax(top + decay, kk + bonus * 0.0f);\n        if (s == t / 2) a += e2 * vv * 0.01f * bonus;",
    ),
    ("plain", "sign", "weights grow", "decay = -exp(w[i])", "decay = -exp(-w[i])"),
]
