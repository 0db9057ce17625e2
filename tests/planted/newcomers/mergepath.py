"""Two sorted lists merged, every item finds the place of eight results by halving."""

import numpy as np

import hotloop as hl

A = """
__kernel void mergepath(__global const int *a, __global const int *b, __global int *y, const int m, const int n) {
    const int d = get_global_id(0) * 8;
    if (d >= m + n) return;
    int lo = max(0, d - n), hi = min(d, m);
    while (lo < hi) {
        const int k = (lo + hi) >> 1;
        if (a[k] <= b[d - 1 - k]) lo = k + 1; else hi = k;
    }
    int i = lo, j = d - lo;
    for (int s = 0; s < 8 && d + s < m + n; ++s)
        y[d + s] = j >= n || (i < m && a[i] <= b[j]) ? a[i++] : b[j++];
}
"""


@hl.kernel(
    problem=dict(m=3000, n=2500),
    work=lambda p: hl.Work(flops=0, bytes=4 * (p.m + p.n)),
    awkward=lambda p: [dict(m=1, n=1), dict(m=17, n=300), dict(m=255, n=64)],
)
class mergepath:
    def inputs(p, rng):
        return dict(
            a=np.sort(rng.integers(-5000, 5000, p.m, dtype="i4")),
            b=np.sort(rng.integers(-5000, 5000, p.n, dtype="i4")),
            y=hl.empty(p.m + p.n, "i4"),
            m=p.m,
            n=p.n,
        )

    def reference(p, a, b, y, m, n):
        return dict(y=np.sort(np.concatenate([a, b])))

    a = hl.OpenCL(A, "mergepath", global_size=lambda p, c: (-(-(p.m + p.n) // 8),))


MUTANTS = [
    ("a", "bounds", "b is read behind its end", "j >= n || (i < m && a[i] <= b[j])", "(i < m && a[i] <= b[j])"),
    ("a", "bounds", "a is read behind its end", "(i < m && a[i] <= b[j])", "(a[i] <= b[j])"),
    (
        "a",
        "bounds",
        "both are read before it is asked",
        "j >= n || (i < m && a[i] <= b[j])",
        "(a[i] <= b[j] && i < m) || j >= n",
    ),
    ("a", "bounds", "the search begins at zero", "lo = max(0, d - n)", "lo = 0"),
    ("a", "bounds", "the last result is not stored", "d + s < m + n; ++s", "d + s < m + n - 1; ++s"),
    ("a", "place", "the diagonal is one off", "b[d - 1 - k]", "b[d - k]"),
]
