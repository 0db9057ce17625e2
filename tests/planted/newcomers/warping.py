"""Dynamic time warping distance of pairs of series, by anti-diagonals, within a band."""

import numpy as np

import hotloop as hl

ROWS = """
__kernel void k(__global const float *a, __global const float *b, __global float *o, const int pairs, const int n, const int band) {
    const int p = get_global_id(0);
    if (p >= pairs) return;
    float first[65], other[65], *old = first, *now = other;
    for (int j = 0; j <= n; ++j) old[j] = j ? INFINITY : 0;
    for (int i = 1; i <= n; ++i) {
        now[0] = INFINITY;
        for (int j = 1; j <= n; ++j) {
            const float d = a[p * n + i - 1] - b[p * n + j - 1];
            const float least = fmin(fmin(old[j], now[j - 1]), old[j - 1]);
            now[j] = abs(i - j) > band ? INFINITY : d * d + least;
        }
        float *t = old; old = now; now = t;
    }
    o[p] = old[n];
}
"""
WAVE = """
#define MOST 64
__kernel void k(__global const float *a, __global const float *b, __global float *o, const int pairs, const int n, const int band) {
    __local float s[3][MOST + 1];
    const int p = get_group_id(0), l = get_local_id(0), i = l;
    s[0][l] = INFINITY; s[1][l] = INFINITY; s[2][l] = INFINITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) s[0][0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d <= 2 * n; ++d) {
        const int j = d - i;
        float v = INFINITY;
        if (i >= 1 && i <= n && j >= 1 && j <= n && abs(i - j) <= band) {
            const float x = a[p * n + i - 1] - b[p * n + j - 1];
            v = x * x + fmin(fmin(s[(d + 2) % 3][i], s[(d + 2) % 3][i - 1]), s[(d + 1) % 3][i - 1]);
        }
        if (l <= n) s[d % 3][l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[p] = s[2 * n % 3][n];
}
"""


@hl.kernel(
    problem=dict(pairs=60, n=40, band=9),
    work=lambda p: hl.Work(flops=5 * p.pairs * p.n * p.n, bytes=8 * p.pairs * p.n),
    awkward=lambda p: [
        dict(pairs=1, n=1, band=0),
        dict(pairs=3, n=17, band=2),
        dict(pairs=5, n=63, band=63),
        dict(pairs=2, n=5, band=0),
    ],
    tolerance=hl.Tolerance(terms=lambda p: 2 * p.n + 4),
)
class warping:
    def inputs(p, rng):
        return dict(
            a=rng.standard_normal((p.pairs, p.n)).cumsum(1).astype("f4"),
            b=rng.standard_normal((p.pairs, p.n)).cumsum(1).astype("f4"),
            o=hl.empty(p.pairs),
            pairs=np.int32(p.pairs),
            n=np.int32(p.n),
            band=np.int32(p.band),
        )

    def reference(p, a, b, o, pairs, n, band):
        a, b = a.reshape(p.pairs, p.n).astype("f8"), b.reshape(p.pairs, p.n).astype("f8")
        t = np.full((p.n + 1, p.n + 1, p.pairs), np.inf)
        t[0, 0] = 0
        for i in range(1, p.n + 1):
            for j in range(1, p.n + 1):
                if abs(i - j) <= p.band:
                    t[i, j] = (a[:, i - 1] - b[:, j - 1]) ** 2 + np.fmin(
                        np.fmin(t[i - 1, j], t[i, j - 1]), t[i - 1, j - 1]
                    )
        return dict(o=t[p.n, p.n])

    rows = hl.OpenCL(ROWS, "k", global_size=lambda p, c: (p.pairs,))
    wave = hl.OpenCL(WAVE, "k", global_size=lambda p, c: (64 * p.pairs,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("rows", "start", "the border starts at zero", "j ? INFINITY : 0", "0"),
    ("rows", "band", "the band is one narrower", "abs(i - j) > band", "abs(i - j) >= band"),
    (
        "wave",
        "barrier",
        "two diagonals without a barrier between",
        "        if (l <= n) s[d % 3][l] = v;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "        if (l <= n) s[d % 3][l] = v;\n        if (d % 2) barrier(CLK_LOCAL_MEM_FENCE);",
    ),
    (
        "wave",
        "stale",
        "the row outside the band is not overwritten",
        "if (l <= n) s[d % 3][l] = v;",
        "if (l <= n && v < INFINITY) s[d % 3][l] = v;",
    ),
]
