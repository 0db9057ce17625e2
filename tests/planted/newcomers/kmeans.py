"""One step of k-means: nearest of a few centres, counts and sums of coordinates in fixed point by atomics."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *c, __global int *label, __global int *count, const int n, const int m, const int d) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float best = INFINITY;
    int which = 0;
    for (int q = 0; q < m; ++q) {
        float s = 0.0f;
        for (int t = 0; t < d; ++t) {
            const float e = x[i * d + t] - c[q * d + t];
            s += e * e;
        }
        if (s < best) { best = s; which = q; }
    }
    label[i] = which;
    atomic_inc(&count[which]);
}
"""


@hl.kernel(
    problem=dict(n=3000, m=7, d=3),
    work=lambda p: hl.Work(flops=3 * p.n * p.m * p.d, bytes=4 * p.n * p.d),
    awkward=lambda p: [dict(n=1, m=1, d=1), dict(n=131, m=5, d=8)],
    domain=dict(x="range", c="range"),
)
class kmeans:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-50, 50, (p.n, p.d)).astype("f4"),
            c=rng.integers(-50, 50, (p.m, p.d)).astype("f4"),
            label=hl.empty(p.n, "int32"),
            count=np.zeros(p.m, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
            d=np.int32(p.d),
        )

    def reference(p, x, c, label, count, n, m, d):
        s = ((x[:, None].astype("f8") - c[None].astype("f8")) ** 2).sum(-1)
        w = s.argmin(1)
        return dict(label=w, count=np.bincount(w, minlength=p.m))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "ties", "the last of equals", "if (s < best)", "if (s <= best)"),
    ("plain", "race", "counts without atomics", "atomic_inc(&count[which]);", "count[which] = count[which] + 1;"),
    ("plain", "norm", "sums of distances", "s += e * e;", "s += fabs(e);"),
    ("plain", "start", "best begins at 10000", "best = INFINITY", "best = 10000.0f"),
    ("plain", "lost-tail", "the last centre is never met", "q < m; ++q", "q < max(1, m - 1); ++q"),
    ("plain", "index", "centres of another width", "c[q * d + t]", "c[q * (d | 1) + t]"),
]
