"""A sparse matrix by diagonals times a vector: offsets from -n+1 to n-1, values beside the row."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *v, __global const int *off, __global const float *x, __global float *y, const int n, const int diags, const float beta) {
    const int r = get_global_id(0);
    if (r >= n) return;
    float s = 0;
    for (int d = 0; d < diags; ++d) {
        const int c = r + off[d];
        if (c >= 0 && c < n) s += v[d * n + r] * x[c];
    }
    y[r] = s + beta * y[r];
}
"""
VEC = """
__kernel void k(__global const float *v, __global const int *off, __global const float *x, __global float *y, const int n, const int diags, const float beta) {
    const int r = 4 * get_global_id(0);
    float4 s = 0;
    for (int d = 0; d < diags; ++d) {
        const int c = r + off[d];
        if (r + 4 <= n && c >= 0 && c + 4 <= n) s += vload4(0, v + d * n + r) * vload4(0, x + c);
        else {
            if (r < n && c >= 0 && c < n) s.s0 += v[d * n + r] * x[c];
            if (r + 1 < n && c + 1 >= 0 && c + 1 < n) s.s1 += v[d * n + r + 1] * x[c + 1];
            if (r + 2 < n && c + 2 >= 0 && c + 2 < n) s.s2 += v[d * n + r + 2] * x[c + 2];
            if (r + 3 < n && c + 3 >= 0 && c + 3 < n) s.s3 += v[d * n + r + 3] * x[c + 3];
        }
    }
    if (r < n) y[r] = s.s0 + beta * y[r];
    if (r + 1 < n) y[r + 1] = s.s1 + beta * y[r + 1];
    if (r + 2 < n) y[r + 2] = s.s2 + beta * y[r + 2];
    if (r + 3 < n) y[r + 3] = s.s3 + beta * y[r + 3];
}
"""


@hl.kernel(
    problem=dict(n=2000, diags=7),
    work=lambda p: hl.Work(flops=2 * p.n * p.diags, bytes=4 * p.n * (p.diags + 3)),
    awkward=lambda p: [dict(n=1, diags=1), dict(n=7, diags=5), dict(n=130, diags=3)],
    tolerance=hl.Tolerance(terms=lambda p: p.diags + 1, absolute=1e-6),
    domain=dict(off="fixed"),
)
class dia:
    def inputs(p, rng):
        span = max(p.n // 3, 1)
        return dict(
            v=rng.standard_normal((p.diags, p.n), "f4"),
            off=rng.integers(-span, span + 1, p.diags, dtype="i4"),
            x=rng.standard_normal(p.n, "f4"),
            y=rng.standard_normal(p.n, "f4"),
            n=np.int32(p.n),
            diags=np.int32(p.diags),
            beta=np.float32(0.5),
        )

    def reference(p, v, off, x, y, n, diags, beta):
        s = float(beta) * y.astype("f8")
        rows = np.arange(p.n)
        for d in range(p.diags):
            c = rows + off[d]
            ok = (c >= 0) & (c < p.n)
            s[ok] += v[d, ok].astype("f8") * x[c[ok]]
        return dict(y=s)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    vec = hl.OpenCL(VEC, "k", global_size=lambda p, c: (-(-p.n // 4),))


MUTANTS = [
    ("plain", "bounds", "column 0 is left out", "c >= 0 && c < n", "c > 0 && c < n"),
    ("plain", "bounds", "one column beyond", "c >= 0 && c < n", "c >= 0 && c <= n"),
    ("plain", "index", "values beside the column", "v[d * n + r] * x[c]", "v[d * n + c] * x[c]"),
    ("plain", "inout", "old results are not scaled", "s + beta * y[r]", "s + y[r]"),
    (
        "vec",
        "bounds",
        "vectors may begin before the vector",
        "r + 4 <= n && c >= 0 && c + 4 <= n",
        "r + 4 <= n && c > -4 && c + 4 <= n",
    ),
    ("vec", "bounds", "vectors may end one behind it", "c >= 0 && c + 4 <= n", "c >= 0 && c + 3 <= n"),
    (
        "vec",
        "case",
        "the second of a torn vector only where the first is inside",
        "if (r + 1 < n && c + 1 >= 0 &&",
        "if (r + 1 < n && c >= 0 &&",
    ),
]
