"""How often a pattern stands in each row of bytes, overlaps counted, and where it stands last (-1: nowhere)."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *s, __global const uchar *pat, __global int *count, __global int *last, const int rows, const int n, const int m) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int hits = 0, at = -1;
    for (int i = 0; i + m <= n; ++i) {
        int j = 0;
        while (j < m && s[r * n + i + j] == pat[j]) ++j;
        if (j == m) { ++hits; at = i; }
    }
    count[r] = hits;
    last[r] = at;
}
"""
GROUP = """
#define W 32
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global const uchar *s, __global const uchar *pat, __global int *count, __global int *last, const int rows, const int n, const int m) {
    __local int total, far;
    const int l = get_local_id(0), r = get_group_id(0);
    if (l == 0) { total = 0; far = -1; }
    barrier(CLK_LOCAL_MEM_FENCE);
    int hits = 0, at = -1;
    for (int i = l; i + m <= n; i += W) {
        int j = 0;
        while (j < m && s[r * n + i + j] == pat[j]) ++j;
        if (j == m) { ++hits; at = i; }
    }
    if (hits) { atomic_add(&total, hits); atomic_max(&far, at); }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) { count[r] = total; last[r] = far; }
}
"""


@hl.kernel(
    problem=dict(rows=90, n=200, m=3),
    work=lambda p: hl.Work(flops=2 * p.rows * p.n, bytes=p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1, m=1), dict(rows=4, n=2, m=3), dict(rows=33, n=65, m=2)],
)
class substr:
    def inputs(p, rng):
        s = rng.choice(np.frombuffer(b"aab", "u1"), (p.rows, p.n))
        s[::4] = ord("a")
        return dict(
            s=s,
            pat=rng.choice(np.frombuffer(b"aaab", "u1"), p.m),
            count=hl.empty(p.rows, "i4"),
            last=hl.empty(p.rows, "i4"),
            rows=np.int32(p.rows),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, s, pat, count, last, rows, n, m):
        if p.m > p.n:
            return dict(count=np.zeros(p.rows, "i8"), last=np.full(p.rows, -1))
        hit = np.ones((p.rows, p.n - p.m + 1), bool)
        for j in range(p.m):
            hit &= s[:, j : j + p.n - p.m + 1] == pat[j]
        where = np.arange(hit.shape[1])
        return dict(count=hit.sum(1), last=np.where(hit, where, -1).max(1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "lost-tail", "the last place is not tried", "i + m <= n", "i + m < n"),
    ("plain", "overlap", "overlaps are not counted", "{ ++hits; at = i; }", "{ ++hits; at = i; i += m - 1; }"),
    ("plain", "bounds", "the last byte is not compared", "while (j < m && s", "while (j < m - 1 && s"),
    ("plain", "case", "the first place, not the last", "{ ++hits; at = i; }", "{ ++hits; if (at < 0) at = i; }"),
    ("group", "atomic", "hits are added without an atomic", "atomic_add(&total, hits);", "total += hits;"),
    (
        "group",
        "barrier",
        "no barrier before the result is read",
        "atomic_max(&far, at); }\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "atomic_max(&far, at); }",
    ),
    ("group", "uninitialised", "the total is never cleared", "{ total = 0; far = -1; }", "{ far = -1; }"),
    ("group", "start", "nowhere is 0", "far = -1;", "far = 0;"),
]
