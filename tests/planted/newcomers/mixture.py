"""How much each of some Gaussian bells (with a variance each) has of each point: a softmax of logarithms, and the point's log-likelihood."""

import numpy as np

import hotloop as hl

A = """
#define K 8
#define D 4
__kernel void mixture(__global const float *x, __global const float *mean, __global const float *var, __global const float *logw,
                      __global float *share, __global float *like, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float score[K], top = -INFINITY, sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        float far = 0.0f;
        for (int d = 0; d < D; ++d) {
            const float gap = x[i * D + d] - mean[k * D + d];
            far = fma(gap, gap, far);
        }
        score[k] = logw[k] - 0.5f * (far / var[k] + D * log(6.2831853f * var[k]));
        top = fmax(top, score[k]);
    }
    for (int k = 0; k < K; ++k) sum += score[k] = exp(score[k] - top);
    for (int k = 0; k < K; ++k) share[i * K + k] = score[k] / sum;
    like[i] = top + log(sum);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=140 * p.n, bytes=52 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=257)],
    tolerance=hl.Tolerance(terms=64, absolute=1e-5),
    domain=dict(var="positive", logw="range"),
)
class mixture:
    def inputs(p, rng):
        w = rng.dirichlet(np.ones(8))
        return dict(
            x=(3 * rng.standard_normal((p.n, 4))).astype("f4"),
            mean=(3 * rng.standard_normal((8, 4))).astype("f4"),
            var=rng.uniform(0.5, 4, 8).astype("f4"),
            logw=np.log(w).astype("f4"),
            share=hl.empty((p.n, 8)),
            like=hl.empty(p.n),
            n=p.n,
        )

    def reference(p, x, mean, var, logw, share, like, n):
        far = ((x.astype("f8")[:, None] - mean.astype("f8")) ** 2).sum(-1)
        v = var.astype("f8")
        score = logw - 0.5 * (far / v + 4 * np.log(2 * np.pi * v))
        top = score.max(1, keepdims=True)
        part = np.exp(score - top)
        return dict(share=part / part.sum(1, keepdims=True), like=top[:, 0] + np.log(part.sum(1)))

    a = hl.OpenCL(A, "mixture", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "stable", "the largest is not taken off", "exp(score[k] - top)", "exp(score[k])"),
    ("a", "start", "the largest starts at zero", "top = -INFINITY,", "top = 0.0f,"),
    ("a", "scalar", "weights are dropped", "score[k] = logw[k] - 0.5f", "score[k] = -0.5f"),
    (
        "a",
        "constant",
        "the scale of the bell is left out of likelihoods",
        "D * log(6.2831853f * var[k])",
        "D * log(var[k])",
    ),
    ("a", "lost", "the last coordinate is left out", "d < D; ++d", "d < D - 1; ++d"),
    ("a", "index", "the variance of the first bell", "(far / var[k] +", "(far / var[0] +"),
    ("a", "square", "deviations for variances", "log(6.2831853f * var[k])", "log(6.2831853f * sqrt(var[k]))"),
]
