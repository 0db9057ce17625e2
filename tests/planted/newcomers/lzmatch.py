"""Longest match of each byte's future with the 32 bytes before it, the nearest of equals."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void lz(__global const uchar *x, __global uchar *dist, __global uchar *length, const int n) {
    __local uchar t[112];
    const int l = get_local_id(0), i = get_global_id(0), base = i - l - 32;
    for (int k = l; k < 112; k += 64) if (base + k >= 0 && base + k < n) t[k] = x[base + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    int best = 0, at = 0;
    for (int d = 1; d <= 32 && d <= i; ++d) {
        int m = 0;
        while (m < 16 && i + m < n && t[l + 32 + m] == t[l + 32 + m - d]) ++m;
        if (m > best) { best = m; at = d; }
    }
    dist[i] = best < 3 ? 0 : at;
    length[i] = best < 3 ? 0 : best;
}
"""


@hl.kernel(
    problem=dict(n=2500),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=66), dict(n=200)],
)
class lzmatch:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 3, p.n, dtype="u1"), dist=hl.empty(p.n, "u1"), length=hl.empty(p.n, "u1"), n=p.n)

    def reference(p, x, dist, length, n):
        best, at = np.zeros(p.n, "i8"), np.zeros(p.n, "i8")
        for d in range(1, min(33, p.n)):
            same = np.r_[x[d:] == x[:-d], np.zeros(16, bool)]
            m = np.cumprod(np.lib.stride_tricks.sliding_window_view(same, 16)[: p.n - d], 1).sum(1)
            more = m > best[d:]
            best[d:][more], at[d:][more] = m[more], d
        good = best >= 3
        return dict(dist=at * good, length=best * good)

    a = hl.OpenCL(A, "lz", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "ties", "of equals the farthest", "m > best)", "m >= best && m)"),
    ("a", "barrier", "no barrier after loading", "x[base + k];\n    barrier(CLK_LOCAL_MEM_FENCE);", "x[base + k];"),
    ("a", "uninitialised", "the bytes behind the group are not loaded", "k < 112; k += 64) if", "k < 96; k += 64) if"),
    ("a", "bounds", "a match may go on behind the text", "m < 16 && i + m < n && t", "m < 16 && t"),
    ("a", "limit", "the farthest place is not asked", "d <= 32 &&", "d < 32 &&"),
    (
        "a",
        "bounds",
        "the text before the first is read",
        "if (base + k >= 0 && base + k < n) t[k]",
        "if (base + k < n) t[k]",
    ),
]
