"""Divergence of two softmaxed rows, from their logits; a group a row."""

import numpy as np

import hotloop as hl

A = """
__kernel void kl(__global const float *a, __global const float *b, __global float *y, const int n) {
    __local float part[4][32];
    const int row = get_group_id(0), t = get_local_id(0);
    float ma = -INFINITY, mb = -INFINITY;
    for (int k = t; k < n; k += 32) { ma = fmax(ma, a[row * n + k]); mb = fmax(mb, b[row * n + k]); }
    part[0][t] = ma; part[1][t] = mb;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32; ++k) { ma = fmax(ma, part[0][k]); mb = fmax(mb, part[1][k]); }
    float sa = 0, sb = 0, d = 0;
    for (int k = t; k < n; k += 32) {
        const float x = a[row * n + k] - ma, z = b[row * n + k] - mb, e = exp(x);
        sa += e; sb += exp(z); d = fma(e, x - z, d);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    part[0][t] = sa; part[1][t] = sb; part[2][t] = d;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        sa = sb = d = 0;
        for (int k = 0; k < 32; ++k) { sa += part[0][k]; sb += part[1][k]; d += part[2][k]; }
        y[row] = d / sa - log(sa) + log(sb);
    }
}
"""


@hl.kernel(
    problem=dict(m=40, n=300),
    work=lambda p: hl.Work(flops=10 * p.m * p.n, bytes=8 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=3, n=33), dict(m=2, n=31)],
    tolerance=hl.Tolerance(terms=lambda p: p.n + 30),
)
class kldiv:
    def inputs(p, rng):
        return dict(
            a=rng.standard_normal((p.m, p.n), "f4"),
            b=rng.standard_normal((p.m, p.n), "f4"),
            y=hl.empty(p.m, "f4"),
            n=p.n,
        )

    def reference(p, a, b, y, n):
        x, z = (v.astype("f8") - v.max(1, keepdims=True) for v in (a, b))
        lx, lz = (v - np.log(np.exp(v).sum(1, keepdims=True)) for v in (x, z))
        return dict(y=(np.exp(lx) * (lx - lz)).sum(1))

    def magnitude(p, a, b, y, n):
        x, z = (v.astype("f8") - v.max(1, keepdims=True) for v in (a, b))
        e = np.exp(x)
        return dict(y=(e * (abs(x) + abs(z))).sum(1) / e.sum(1) + 2 * np.log(p.n + 1.0) + 1)

    a = hl.OpenCL(A, "kl", global_size=lambda p, c: (32 * p.m,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "identity", "largest from zero", "ma = -INFINITY, mb", "ma = 0, mb"),
    ("a", "special", "the second is not shifted", "z = b[row * n + k] - mb, e", "z = b[row * n + k], e"),
    (
        "a",
        "barrier",
        "no barrier before the sums overwrite the largest",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    part[0][t] = sa;",
        "    part[0][t] = sa;",
    ),
    (
        "a",
        "tail",
        "the last part is lost",
        "    for (int k = t; k < n; k += 32) {\n",
        "    for (int k = t; k < n - n % 32; k += 32) {\n",
    ),
    ("a", "scalar", "one logarithm is left out", "- log(sa) + log(sb)", "+ log(sb)"),
    ("a", "index", "the divergence the other way round", "fma(e, x - z, d)", "fma(e, z - x, d)"),
]
