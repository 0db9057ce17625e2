"""Covariances of pairs of columns, centred first, of rows that count by weight; weights of zero leave rows out."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void cov(__global const float *x, __global const float *weight, __global float *o, const int n, const int k) {
    __local float s[32], t[32], w[32];
    const int l = get_local_id(0), a = get_group_id(0), b = get_group_id(1);
    float sa = 0.0f, sb = 0.0f, sw = 0.0f;
    for (int i = l; i < n; i += 32)
        if (weight[i] > 0.0f) { sa += weight[i] * x[i * k + a]; sb += weight[i] * x[i * k + b]; sw += weight[i]; }
    s[l] = sa; t[l] = sb; w[l] = sw;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 16; h > 0; h >>= 1) {
        if (l < h) { s[l] += s[l + h]; t[l] += t[l + h]; w[l] += w[l + h]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float total = w[0], ma = total > 0.0f ? s[0] / total : 0.0f, mb = total > 0.0f ? t[0] / total : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float c = 0.0f;
    for (int i = l; i < n; i += 32)
        if (weight[i] > 0.0f) c += weight[i] * (x[i * k + a] - ma) * (x[i * k + b] - mb);
    s[l] = c;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 16; h > 0; h >>= 1) {
        if (l < h) s[l] += s[l + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[a * k + b] = total > 0.0f ? s[0] / total : 0.0f;
}
"""


@hl.kernel(
    problem=dict(n=300, k=9),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n * p.k),
    awkward=lambda p: [dict(n=1, k=1), dict(n=33, k=2), dict(n=64, k=5)],
    tolerance=hl.Tolerance(terms=lambda p: 30 + p.n / 8, absolute=1e-5),
    domain=dict(weight="range"),
)
class covar:
    def inputs(p, rng):
        weight = rng.random(p.n, "f4") * (rng.random(p.n) < 0.7)
        x = rng.standard_normal((p.n, p.k), "f4")
        x[weight == 0] = np.nan
        return dict(x=x, weight=weight.astype("f4"), o=hl.empty((p.k, p.k)), n=p.n, k=p.k)

    def reference(p, x, weight, o, n, k):
        use = weight > 0
        v, w = x[use].astype("f8"), weight[use].astype("f8")
        if not use.any():
            return dict(o=np.zeros((p.k, p.k)))
        d = v - (w[:, None] * v).sum(0) / w.sum()
        return dict(o=(w[:, None] * d).T @ d / w.sum())

    a = hl.OpenCL(A, "cov", global_size=lambda p, c: (32 * p.k, p.k), local_size=lambda p, c: (32, 1))


MUTANTS = [
    ("a", "nan", "rows of weight zero are multiplied by it, in the means", "if (weight[i] > 0.0f) { sa", "{ sa"),
    ("a", "nan", "rows of weight zero are multiplied by it", "if (weight[i] > 0.0f) c +=", "c +="),
    (
        "a",
        "scalar",
        "divided by the number of rows",
        "total > 0.0f ? s[0] / total : 0.0f;\n}",
        "total > 0.0f ? s[0] / n : 0.0f;\n}",
    ),
    (
        "a",
        "barrier",
        "no barrier before sums are used again",
        "s[0] / total : 0.0f, mb = total > 0.0f ? t[0] / total : 0.0f;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "s[0] / total : 0.0f, mb = total > 0.0f ? t[0] / total : 0.0f;",
    ),
    (
        "a",
        "zero",
        "nothing but weights of zero gives NaN",
        "o[a * k + b] = total > 0.0f ? s[0] / total : 0.0f",
        "o[a * k + b] = s[0] / total",
    ),
    (
        "a",
        "symmetry",
        "only the upper half is stored",
        "if (l == 0) o[a * k + b]",
        "if (l == 0 && a <= b) o[a * k + b]",
    ),
    (
        "a",
        "precision",
        "squares of the mean are taken off",
        "c += weight[i] * (x[i * k + a] - ma) * (x[i * k + b] - mb);",
        "c += weight[i] * (x[i * k + a] * x[i * k + b] - ma * mb);",
    ),
    ("a", "reduction", "the weights are not added up", " w[l] += w[l + h]; }", " }"),
    (
        "a",
        "barrier",
        "no barrier in the second tree",
        "if (l < h) s[l] += s[l + h];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "if (l < h) s[l] += s[l + h];",
    ),
]
