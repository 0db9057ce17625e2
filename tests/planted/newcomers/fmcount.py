"""How often patterns occur in a text, by backward search in its FM-index: counts at every 32nd place and the last column."""

import numpy as np

import hotloop as hl

A = """
#define STEP 32
int occ(__global const uchar *bwt, __global const int *marks, int c, int at) {
    int found = marks[(at / STEP) * 4 + c];
    for (int i = at / STEP * STEP; i < at; ++i) found += bwt[i] == c + 1;
    return found;
}
__kernel void count(__global const uchar *bwt, __global const int *marks, __global const int *first, __global const uchar *pattern,
                    __global const uchar *length, __global int *hits, const int most, const int n, const int m) {
    const int p = get_global_id(0);
    if (p >= m) return;
    int low = 0, high = n;
    for (int j = length[p] - 1; j >= 0; --j) {
        const int c = pattern[p * most + j];
        low = first[c] + occ(bwt, marks, c, low);
        high = first[c] + occ(bwt, marks, c, high);
        if (low >= high) break;
    }
    hits[p] = max(high - low, 0);
}
"""


def _index(text):
    n = len(text)
    order = sorted(range(n), key=lambda i: text[i:].tobytes())
    bwt = text[np.array(order) - 1]
    marks = np.zeros((n // 32 + 1, 4), "i4")
    run = np.zeros(4, "i4")
    for i in range(n + 1):
        if i % 32 == 0:
            marks[i // 32] = run
        if i < n and bwt[i]:
            run[bwt[i] - 1] += 1
    first = 1 + np.concatenate([[0], np.cumsum(run)[:-1]])
    return bwt.astype("u1"), marks, first.astype("i4")


@hl.kernel(
    problem=dict(n=1000, m=600),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.m),
    awkward=lambda p: [dict(n=2, m=1), dict(n=64, m=33), dict(n=333, m=70)],
    domain=dict(bwt="structure", marks="structure", first="structure", pattern="range", length="range"),
)
class fmcount:
    def inputs(p, rng):
        text = np.append(rng.integers(1, 5, p.n - 1), 0).astype("u1")
        bwt, marks, first = _index(text)
        return dict(
            bwt=bwt, marks=marks, first=first, pattern=rng.integers(0, 4, (p.m, 8)).astype("u1"),
            length=rng.integers(0, 9, p.m).astype("u1"), hits=hl.empty(p.m, "i4"), most=8, n=p.n, m=p.m,
        )  # fmt: skip

    def reference(p, bwt, marks, first, pattern, length, hits, most, n, m):
        occ = np.zeros((n + 1, 4), "i8")
        for c in range(4):
            occ[1:, c] = np.cumsum(bwt == c + 1)
        out = np.zeros(m, "i8")
        for q in range(m):
            low, high = 0, n
            for c in pattern[q, : length[q]][::-1]:
                low, high = first[c] + occ[low, c], first[c] + occ[high, c]
            out[q] = max(high - low, 0)
        return dict(hits=out)

    a = hl.OpenCL(A, "count", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "bounds", "the place itself counts", "i < at; ++i", "i <= at; ++i"),
    ("a", "order", "patterns are read forwards", "int j = length[p] - 1; j >= 0; --j", "int j = 0; j < length[p]; ++j"),
    ("a", "tail", "the first letter is not looked at", "j >= 0; --j", "j > 0; --j"),
    ("a", "stride", "rows of patterns are packed", "pattern[p * most + j]", "pattern[p * length[p] + j]"),
    ("a", "result", "an empty range may be negative", "max(high - low, 0)", "low >= high ? -1 : high - low"),
    ("a", "narrow", "counts in 8 bits", "    int found = marks", "    uchar found = marks"),
    ("a", "guard", "the guard lets one more through", "if (p >= m) return;", "if (p > m) return;"),
]
