"""Numbers of intervals that hold a point, both ends counted, by searches in sorted beginnings and ends."""

import numpy as np

import hotloop as hl

A = """
__kernel void stab(__global const int *begin, __global const int *end, __global const int *at, __global int *count, const int m, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int x = at[i];
    int lo = 0, hi = m;
    while (lo < hi) { const int mid = (lo + hi) / 2; if (begin[mid] <= x) lo = mid + 1; else hi = mid; }
    int a = 0, b = m;
    while (a < b) { const int mid = (a + b) / 2; if (end[mid] < x) a = mid + 1; else b = mid; }
    count[i] = lo - a;
}
"""


@hl.kernel(
    problem=dict(m=3000, n=5000),
    work=lambda p: hl.Work(flops=0, bytes=8 * (p.m + p.n)),
    awkward=lambda p: [dict(m=1, n=1), dict(m=2, n=65), dict(m=65, n=7)],
    domain=dict(begin="sorted", end="sorted"),
)
class stab:
    def inputs(p, rng):
        low = rng.integers(-2000, 2000, p.m, dtype="i4")
        high = low + rng.integers(0, 300, p.m, dtype="i4")
        return dict(
            begin=np.sort(low),
            end=np.sort(high),
            at=rng.integers(-2500, 2600, p.n, dtype="i4"),
            count=hl.empty(p.n, "i4"),
            m=p.m,
            n=p.n,
        )

    def reference(p, begin, end, at, count, m, n):
        return dict(count=np.searchsorted(begin, at, "right") - np.searchsorted(end, at, "left"))

    a = hl.OpenCL(A, "stab", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "tie", "an interval's beginning does not count", "begin[mid] <= x", "begin[mid] < x"),
    ("a", "tie", "nor does its end", "end[mid] < x", "end[mid] <= x"),
    ("a", "bounds", "the last interval is never met", "lo = 0, hi = m;", "lo = 0, hi = m - 1;"),
    ("a", "swap", "ends are looked for among beginnings", "end[mid] < x", "begin[mid] < x"),
    ("a", "bounds", "the search goes beyond", "int a = 0, b = m;", "int a = 0, b = m + 1;"),
    ("a", "bounds", "the last point", "if (i >= n)", "if (i >= n - 1)"),
]
