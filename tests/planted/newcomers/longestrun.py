"""Longest run of equal letters in each row: where it begins, the first of equals, and how long it is."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void run(__global const uchar *x, __global int2 *o, const int n) {
    __local int best[32], at[32];
    const int l = get_local_id(0), r = get_group_id(0);
    __global const uchar *row = x + r * n;
    int most = 0, where = 0;
    for (int i = l; i < n; i += 32) {
        if (i > 0 && row[i] == row[i - 1]) continue;
        int end = i + 1;
        while (end < n && row[end] == row[i]) ++end;
        if (end - i > most) { most = end - i; where = i; }
    }
    best[l] = most;
    at[l] = where;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 16; h > 0; h >>= 1) {
        if (l < h && (best[l + h] > best[l] || (best[l + h] == best[l] && at[l + h] < at[l]))) { best[l] = best[l + h]; at[l] = at[l + h]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[r] = (int2)(at[0], best[0]);
}
"""


@hl.kernel(
    problem=dict(rows=60, n=300),
    work=lambda p: hl.Work(flops=0, bytes=p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=3, n=33), dict(rows=5, n=64)],
)
class longestrun:
    def inputs(p, rng):
        x = rng.integers(0, 3, (p.rows, p.n), dtype="u1")
        x[::4] = 1 + np.arange(p.n) // 290
        return dict(x=x, o=hl.empty((p.rows, 2), "i4"), n=p.n)

    def reference(p, x, o, n):
        out = np.zeros((p.rows, 2), "i8")
        for r, row in enumerate(x):
            begin = np.flatnonzero(np.concatenate([[True], row[1:] != row[:-1]]))
            length = np.diff(np.append(begin, p.n))
            k = length.argmax()
            out[r] = begin[k], length[k]
        return dict(o=out)

    a = hl.OpenCL(A, "run", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "ties", "the last of equals within an item", "if (end - i > most)", "if (end - i >= most)"),
    ("a", "ties", "any of equals between items", " || (best[l + h] == best[l] && at[l + h] < at[l])", ""),
    ("a", "bounds", "a run goes on into the next row", "while (end < n && row[end]", "while (row[end]"),
    ("a", "bounds", "the first letter is compared with the row before", "if (i > 0 && row[i]", "if (row[i]"),
    ("a", "narrow", "lengths in eight bits", "int most = 0, where = 0;", "int where = 0; uchar most = 0;"),
    (
        "a",
        "barrier",
        "no barrier in the tree",
        "at[l] = at[l + h]; }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "at[l] = at[l + h]; }",
    ),
    ("a", "lost", "runs that begin in the last place", "i < n; i += 32", "i < n - 1; i += 32"),
    ("a", "local", "one place too few", "best[32], at[32]", "best[31], at[32]"),
]
