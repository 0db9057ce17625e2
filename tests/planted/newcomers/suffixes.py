"""How often words stand in a text and where they begin in its suffix array, by two searches."""

import numpy as np

import hotloop as hl

S = r"""
int cmp(__global const uchar *text, int at, int n, __global const uchar *pat, int m) {
    for (int k = 0; k < m; ++k) {
        if (at + k >= n) return -1;
        const int d = (int)text[at + k] - (int)pat[k];
        if (d) return d;
    }
    return 0;
}
__kernel void occurrences(__global const uchar *text, __global const int *sa, __global const uchar *pats, __global int *count, __global int *first, const int n, const int m, const int q) {
    const int i = get_global_id(0);
    if (i >= q) return;
    __global const uchar *pat = pats + i * m;
    int lo = 0, hi = n;
    while (lo < hi) { const int mid = (lo + hi) >> 1; if (cmp(text, sa[mid], n, pat, m) < 0) lo = mid + 1; else hi = mid; }
    const int begin = lo;
    hi = n;
    while (lo < hi) { const int mid = (lo + hi) >> 1; if (cmp(text, sa[mid], n, pat, m) <= 0) lo = mid + 1; else hi = mid; }
    count[i] = lo - begin;
    first[i] = begin;
}
"""


@hl.kernel(
    problem=dict(n=3000, m=4, q=500),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.n + p.q * (p.m + 8)),
    awkward=lambda p: [dict(n=1, m=1, q=1), dict(n=77, m=2, q=65), dict(n=400, m=3, q=10)],
)
class suffixes:
    def inputs(p, rng):
        text = rng.integers(97, 101, p.n, dtype="u1")
        raw = text.tobytes()
        sa = np.array(sorted(range(p.n), key=lambda i: raw[i:]), "i4")
        return dict(
            text=text,
            sa=sa,
            pats=rng.integers(97, 101, (p.q, p.m), dtype="u1"),
            count=hl.empty(p.q, "i4"),
            first=hl.empty(p.q, "i4"),
            n=p.n,
            m=p.m,
            q=p.q,
        )

    def reference(p, text, sa, pats, count, first, n, m, q):
        raw = text.tobytes()
        heads = [raw[i : i + m] for i in sa.tolist()]
        pat = [row.tobytes() for row in pats]
        return dict(
            count=np.array([heads.count(x) for x in pat], "i4"),
            first=np.array([sum(h < x for h in heads) for x in pat], "i4"),
        )

    plain = hl.OpenCL(S, "occurrences", global_size=lambda p, c: (p.q,))


MUTANTS = [
    ("plain", "end", "a suffix that ends is equal", "return -1;", "return 0;"),
    ("plain", "sign", "letters are compared backwards", "if (d) return d;", "if (d) return d > 2 ? -1 : d;"),
]
