"""Radius of the longest palindrome of odd length around each letter, up to 24."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void pa(__global const uchar *x, __global uchar *o, const int n) {
    __local uchar t[32 + 48];
    const int l = get_local_id(0), i = get_global_id(0);
    for (int k = l; k < 80; k += 32) { const int at = i - l - 24 + k; t[k] = at >= 0 && at < n ? x[at] : 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    int r = 0;
    while (r < 24 && i - r - 1 >= 0 && i + r + 1 < n && t[l + 24 - r - 1] == t[l + 24 + r + 1]) ++r;
    o[i] = r;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=33), dict(n=100)],
)
class palin:
    def inputs(p, rng):
        x = rng.integers(0, 2, p.n, dtype="u1")
        x[: p.n // 4] = x[p.n // 2 : p.n // 2 + p.n // 4][::-1]
        return dict(x=x, o=hl.empty(p.n, "u1"), n=p.n)

    def reference(p, x, o, n):
        r = np.zeros(p.n, "i8")
        going = np.ones(p.n, bool)
        for k in range(1, 25):
            i = np.arange(p.n)
            inside = (i - k >= 0) & (i + k < p.n)
            going &= inside & (x[np.maximum(i - k, 0)] == x[np.minimum(i + k, p.n - 1)])
            r += going
        return dict(o=r)

    a = hl.OpenCL(A, "pa", global_size=lambda p, c: (-(-p.n // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "barrier", "no barrier after loading", "x[at] : 0; }\n    barrier(CLK_LOCAL_MEM_FENCE);", "x[at] : 0; }"),
    ("a", "bounds", "the letter behind the text counts", "i + r + 1 < n && t", "i + r + 1 <= n && t"),
    ("a", "bounds", "the text before the first is read", "at >= 0 && at < n ? x[at] : 0", "at < n ? x[at] : 0"),
    ("a", "limit", "the radius ends at 23", "r < 24 &&", "r < 23 &&"),
    ("a", "uninitialised", "the letters behind the group are not loaded", "k < 80; k += 32", "k < 64; k += 32"),
    ("a", "bounds", "the radius may be one more", "r < 24 &&", "r < 25 &&"),
]
