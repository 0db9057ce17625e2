"""Focal loss of logits and targets, and its derivative, stable for large logits."""

import numpy as np

import hotloop as hl

A = """
__kernel void focal(__global const float *x, __global const uchar *t, __global float *loss, const float alpha, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = x[i];
    const float e = exp(-fabs(v));
    const float soft = fmax(-v, 0.0f) + log1p(e);
    const float p = v >= 0.0f ? 1.0f / (1.0f + e) : e / (1.0f + e);
    const float pos = alpha * (1.0f - p) * (1.0f - p) * soft;
    const float neg = (1.0f - alpha) * p * p * (soft + v);
    loss[i] = t[i] ? pos : neg;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=9 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=33), dict(n=1000)],
    tolerance=hl.Tolerance(terms=24, absolute=1e-6),
)
class focal:
    def inputs(p, rng):
        return dict(
            x=5 * rng.standard_normal(p.n, "f4"),
            t=(rng.random(p.n) < 0.4).astype("u1"),
            loss=hl.empty(p.n),
            alpha=float(rng.uniform(0.1, 0.9)),
            n=p.n,
        )

    def reference(p, x, t, loss, alpha, n):
        v = x.astype("f8")
        soft = np.logaddexp(0, -v)
        q = np.exp(-soft)
        return dict(loss=np.where(t != 0, alpha * (1 - q) ** 2 * soft, (1 - alpha) * q**2 * (soft + v)))

    a = hl.OpenCL(A, "focal", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "overflow", "exp of the logit itself", "exp(-fabs(v))", "exp(-v)"),
    ("a", "scalar", "alpha for both", "(1.0f - alpha)", "alpha"),
    ("a", "precision", "the logarithm of one and something small", "log1p(e)", "log(1.0f + e)"),
    ("a", "sign", "the loss of negatives by minus the logit", "(soft + v)", "(soft - v)"),
    ("a", "power", "one factor is missing", "alpha * (1.0f - p) * (1.0f - p)", "alpha * (1.0f - p)"),
    ("a", "large", "the larger part is cut off", "fmax(-v, 0.0f)", "fmin(fmax(-v, 0.0f), 40.0f)"),
    (
        "a",
        "half",
        "probabilities in eight bits",
        "alpha * (1.0f - p) * (1.0f - p)",
        "alpha * (1.0f - p) * round(256.0f * (1.0f - p)) / 256.0f",
    ),
    (
        "a",
        "branch",
        "negative logits by the other form",
        "v >= 0.0f ? 1.0f / (1.0f + e) : e / (1.0f + e)",
        "1.0f / (1.0f + e)",
    ),
]
