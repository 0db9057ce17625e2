"""Hampel filter on raw ADC samples: an outlier becomes the median of its window, which is cut at the ends of the row."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void hampel(__global const int *x, __global int *y, __global int *outlier, const int n, const int m, const int half_width) {
    const int i = get_global_id(0), r = get_global_id(1);
    if (i >= m || r >= n) return;
    __global const int *row = x + (long)r * m;
    int w[15];
    const int lo = max(i - half_width, 0), hi = min(i + half_width, m - 1), c = hi - lo + 1;
    for (int j = 0; j < c; ++j) {
        const int v = row[lo + j];
        int k = j;
        while (k > 0 && w[k - 1] > v) { w[k] = w[k - 1]; --k; }
        w[k] = v;
    }
    const int med = w[(c - 1) / 2];
    int d[15];
    for (int j = 0; j < c; ++j) {
        const int v = abs(w[j] - med);
        int k = j;
        while (k > 0 && d[k - 1] > v) { d[k] = d[k - 1]; --k; }
        d[k] = v;
    }
    const int mad = d[(c - 1) / 2];
    const int bad = abs(row[i] - med) * 2 > 9 * mad;
    y[(long)r * m + i] = bad ? med : row[i];
    outlier[(long)r * m + i] = bad;
}
"""


@hl.kernel(
    problem=dict(n=40, m=500, half_width=3),
    work=lambda p: hl.Work(flops=60 * p.n * p.m, bytes=12 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1, half_width=3), dict(n=3, m=4, half_width=3), dict(n=2, m=67, half_width=7)],
    domain=dict(half_width="at most 7"),
)
class hampel:
    def inputs(p, rng):
        x = rng.integers(-2000, 2000, (p.n, p.m), dtype="i4")
        x = np.where(rng.random(x.shape) < 0.03, x * 16, x).astype("i4")
        return dict(
            x=x,
            y=hl.empty((p.n, p.m), "i4"),
            outlier=hl.empty((p.n, p.m), "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
            half_width=np.int32(p.half_width),
        )

    def reference(p, x, y, outlier, n, m, half_width):
        out, flags = x.astype("i8"), np.zeros((p.n, p.m), "i8")
        for i in range(p.m):
            lo, hi = max(i - p.half_width, 0), min(i + p.half_width, p.m - 1)
            w = np.sort(x[:, lo : hi + 1].astype("i8"), axis=1)
            mid = (hi - lo) // 2
            med = w[:, mid]
            mad = np.sort(np.abs(w - med[:, None]), axis=1)[:, mid]
            bad = np.abs(x[:, i] - med) * 2 > 9 * mad
            out[:, i] = np.where(bad, med, x[:, i])
            flags[:, i] = bad
        return dict(y=out, outlier=flags)

    plain = hl.OpenCL(SOURCE, "hampel", global_size=lambda p, c: (p.m, p.n))


MUTANTS = [
    (
        "plain",
        "boundary",
        "the window is shifted in at the ends",
        "lo = max(i - half_width, 0), hi",
        "lo = max(min(i - half_width, m - 1 - 2 * half_width), 0), hi",
    ),
    ("plain", "limit", "a deviation at the limit is an outlier", "* 2 > 9 * mad", "* 2 >= 9 * mad"),
    ("plain", "median", "the upper median of an even window", "med = w[(c - 1) / 2]", "med = w[c / 2]"),
    ("plain", "scalar", "the width is always three", "hi = min(i + half_width, m - 1)", "hi = min(i + 3, m - 1)"),
    (
        "plain",
        "type",
        "deviations in 16 bits",
        "const int v = abs(w[j] - med);",
        "const int v = (short)abs(w[j] - med);",
    ),
    (
        "plain",
        "branch",
        "flags of low outliers are lost",
        "outlier[(long)r * m + i] = bad;",
        "outlier[(long)r * m + i] = bad && row[i] > med;",
    ),
]
