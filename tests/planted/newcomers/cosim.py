"""Cosine similarity of the rows of two matrices; rows shorter than eps count as eps long."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *a, __global const float *b, __global float *y, const int rows, const int n, const float eps) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < n; ++i) {
        const float u = a[r * n + i], v = b[r * n + i];
        ab += u * v;
        aa += u * u;
        bb += v * v;
    }
    y[r] = ab / (fmax(sqrt(aa), eps) * fmax(sqrt(bb), eps));
}
"""


@hl.kernel(
    problem=dict(rows=500, n=70),
    work=lambda p: hl.Work(flops=6 * p.rows * p.n, bytes=8 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=5, n=3)],
    tolerance=hl.Tolerance(terms=lambda p: p.n, absolute=1e-5),
    domain=dict(a="range", b="range", eps="range"),
)
class cosim:
    def inputs(p, rng):
        a, b = rng.standard_normal((2, p.rows, p.n), "f4")
        a[::7] = 0
        b[::5] = 0
        return dict(a=a, b=b, y=hl.empty(p.rows), rows=np.int32(p.rows), n=np.int32(p.n), eps=np.float32(1e-6))

    def reference(p, a, b, y, rows, n, eps):
        u, v = a.astype("f8"), b.astype("f8")
        e = float(eps)
        lengths = np.maximum(np.sqrt((u * u).sum(1)), e) * np.maximum(np.sqrt((v * v).sum(1)), e)
        return dict(y=(u * v).sum(1) / lengths)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("plain", "epsilon", "no least length", "(fmax(sqrt(aa), eps) * fmax(sqrt(bb), eps))", "(sqrt(aa) * sqrt(bb))"),
    ("plain", "index", "the length of the first, twice", "fmax(sqrt(bb), eps)", "fmax(sqrt(aa), eps)"),
    ("plain", "negative", "similarity without sign", "y[r] = ab /", "y[r] = fabs(ab) /"),
    ("plain", "lost-tail", "an odd last element is lost", "i < n; ++i", "i < (n & ~1); ++i"),
]
