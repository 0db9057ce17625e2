"""Tridiagonal systems, one a work-item, by Thomas' recursion; interleaved so that items read neighbours."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *a, __global const float *b, __global const float *c, __global const float *d, __global float *x, const int s, const int n) {
    const int i = get_global_id(0);
    if (i >= s) return;
    float cp[64], dp[64];
    cp[0] = c[i] / b[i];
    dp[0] = d[i] / b[i];
    for (int r = 1; r < n; ++r) {
        const float m = 1.0f / (b[r * s + i] - a[r * s + i] * cp[r - 1]);
        cp[r] = c[r * s + i] * m;
        dp[r] = (d[r * s + i] - a[r * s + i] * dp[r - 1]) * m;
    }
    float last = dp[n - 1];
    x[(n - 1) * s + i] = last;
    for (int r = n - 2; r >= 0; --r) {
        last = dp[r] - cp[r] * last;
        x[r * s + i] = last;
    }
}
"""


@hl.kernel(
    problem=dict(s=500, n=48),
    work=lambda p: hl.Work(flops=8 * p.s * p.n, bytes=20 * p.s * p.n),
    awkward=lambda p: [dict(s=1, n=1), dict(s=65, n=2), dict(s=7, n=64)],
    tolerance=hl.Tolerance(terms=lambda p: 8 * p.n, absolute=1e-6),
    domain=dict(a="range", b="range", c="range", n="fixed"),
)
class thomas:
    def inputs(p, rng):
        u = lambda lo, hi: rng.uniform(lo, hi, (p.n, p.s)).astype("f4")
        return dict(
            a=u(-1, 1),
            b=u(3, 5),
            c=u(-1, 1),
            d=rng.standard_normal((p.n, p.s), "f4"),
            x=hl.empty((p.n, p.s)),
            s=np.int32(p.s),
            n=np.int32(p.n),
        )

    def reference(p, a, b, c, d, x, s, n):
        m = np.zeros((p.s, p.n, p.n))
        r = np.arange(p.n)
        m[:, r, r] = b.T
        m[:, r[1:], r[:-1]] = a.T[:, 1:]
        m[:, r[:-1], r[1:]] = c.T[:, :-1]
        return dict(x=np.linalg.solve(m, d.T.astype("f8")[..., None])[..., 0].T)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.s,))


MUTANTS = [
    ("plain", "sign", "wrong sign", "- a[r * s + i] * cp[r - 1])", "+ a[r * s + i] * cp[r - 1])"),
    ("plain", "start", "back substitution leaves out the first row", "r >= 0", "r > 0"),
    (
        "plain",
        "index",
        "the diagonal below is the row's own",
        "a[r * s + i] * dp[r - 1]",
        "a[(r - 1) * s + i] * dp[r - 1]",
    ),
    ("plain", "size", "n of one is not looked at", "cp[0] = c[i] / b[i];", "cp[0] = c[i] / b[i]; if (n == 1) return;"),
    (
        "plain",
        "precision",
        "half reciprocal",
        "1.0f / (b[r * s + i]",
        "native_recip((float)(int)(4096 * (b[r * s + i] - a[r * s + i] * cp[r - 1])) / 4096.0f); const float unused = 1.0f / (b[r * s + i]",
    ),
    ("plain", "size", "at most 63 rows", "for (int r = 1; r < n; ++r)", "for (int r = 1; r < min(n, 63); ++r)"),
]
