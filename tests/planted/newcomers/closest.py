"""The three nearest of many points to each query: a sorted list in private memory, equal distances by index."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *q, __global const int *pts, __global int *o, const int m, const int n) {
    const int i = get_global_id(0);
    if (i >= m) return;
    int best[3], who[3];
    for (int j = 0; j < 3; ++j) { best[j] = INT_MAX; who[j] = INT_MAX; }
    for (int j = 0; j < n; ++j) {
        int d = abs(q[i] - pts[j]), w = j;
        for (int s = 0; s < 3; ++s)
            if (d < best[s] || (d == best[s] && w < who[s])) { int t = best[s]; best[s] = d; d = t; t = who[s]; who[s] = w; w = t; }
    }
    for (int s = 0; s < 3; ++s) o[3 * i + s] = who[s] == INT_MAX ? -1 : who[s];
}
"""


@hl.kernel(
    problem=dict(m=300, n=120),
    work=lambda p: hl.Work(flops=4 * p.m * p.n, bytes=4 * p.m + 4 * p.n + 12 * p.m),
    awkward=lambda p: [dict(m=1, n=3), dict(m=7, n=2), dict(m=33, n=1)],
    domain=dict(q="range", pts="range"),
)
class closest:
    def inputs(p, rng):
        q = rng.integers(-100, 100, p.m, dtype="i4")
        return dict(
            q=q,
            pts=rng.integers(-100, 100, p.n, dtype="i4"),
            o=hl.empty(3 * p.m, "int32"),
            m=np.int32(p.m),
            n=np.int32(p.n),
        )

    def reference(p, q, pts, o, m, n):
        d = np.abs(q[:, None].astype("i8") - pts[None, :])
        order = np.argsort(d, axis=1, kind="stable")[:, :3]
        o = np.full((p.m, 3), -1)
        o[:, : order.shape[1]] = order
        return dict(o=o.ravel())

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.m,))


MUTANTS = [
    (
        "plain",
        "uninitialised",
        "the third place is not prepared",
        "for (int j = 0; j < 3; ++j) { best",
        "for (int j = 0; j < 2; ++j) { best",
    ),
    ("plain", "uninitialised", "who is nearest is not prepared", "who[j] = INT_MAX; }", "}"),
    ("plain", "uninitialised", "distances are not prepared", "best[j] = INT_MAX;", ""),
    ("plain", "ties", "the later of equals", "d == best[s] && w < who[s]", "d == best[s] && w > who[s]"),
    (
        "plain",
        "last",
        "the third is not moved on",
        "for (int s = 0; s < 3; ++s)\n            if",
        "for (int s = 0; s < 2; ++s)\n            if",
    ),
    ("plain", "sign", "differences instead of distances", "abs(q[i] - pts[j])", "(q[i] - pts[j])"),
    ("plain", "limit", "a small start", "INT_MAX", "99"),
    ("plain", "bounds", "a point beyond the last", "j < n; ++j", "j <= n; ++j"),
]
