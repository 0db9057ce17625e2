"""Entropies in bits of rows of counts; what never came adds nothing, a row without any has none."""

import numpy as np

import hotloop as hl

A = """
__kernel void entropy(__global const int *c, __global float *h, const int m, const int n) {
    const int i = get_global_id(0);
    if (i >= m) return;
    long all = 0;
    for (int k = 0; k < n; ++k) all += c[i * n + k];
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        const int v = c[i * n + k];
        if (v > 0) { const float p = (float)v / all; sum -= p * log2(p); }
    }
    h[i] = sum;
}
"""


@hl.kernel(
    problem=dict(m=150, n=37),
    work=lambda p: hl.Work(flops=4 * p.m * p.n, bytes=4 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=5, n=130), dict(m=33, n=4)],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.n + 8),
    domain=dict(c="range"),
)
class entropybits:
    def inputs(p, rng):
        c = rng.integers(0, 2_000_000_000, (p.m, p.n), dtype="i4") >> rng.integers(0, 31, (p.m, p.n), dtype="i4")
        return dict(c=c, h=hl.empty(p.m, "f4"), m=p.m, n=p.n)

    def reference(p, c, h, m, n):
        q = c / np.maximum(c.sum(1, keepdims=True, dtype="i8"), 1)
        return dict(h=-(q * np.log2(np.where(q > 0, q, 1.0))).sum(1) + 0.0)

    def magnitude(p, c, h, m, n):
        return dict(h=np.full(p.m, 1.0 + np.log2(p.n)))

    a = hl.OpenCL(A, "entropy", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "type", "the sum has 32 bits", "long all = 0", "int all = 0"),
    ("a", "special", "zeros give NaN", "if (v > 0) {", "{"),
    ("a", "scalar", "nats for bits", "log2(p)", "log(p)"),
    ("a", "bounds", "the last count is not summed up", "k < n; ++k) all", "k < n - (n > 1); ++k) all"),
    ("a", "boundary", "counts of one are left out", "if (v > 0)", "if (v > 1)"),
    ("a", "sign", "the sign is lost", "sum -= p", "sum += p"),
]
