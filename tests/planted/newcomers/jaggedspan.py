"""Largest minus least of lists of unequal length, a group for each list."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void span(__global const int *x, __global const int *at, __global long *y) {
    __local int hi[32], lo[32];
    const int l = get_local_id(0), g = get_group_id(0), end = at[g + 1];
    int a = INT_MIN, b = INT_MAX;
    for (int k = at[g] + l; k < end; k += 32) { a = max(a, x[k]); b = min(b, x[k]); }
    hi[l] = a; lo[l] = b;
    for (int h = 16; h > 0; h >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < h) { hi[l] = max(hi[l], hi[l + h]); lo[l] = min(lo[l], lo[l + h]); }
    }
    if (l == 0) y[g] = at[g] == end ? -1 : (long)hi[0] - lo[0];
}
"""


@hl.kernel(
    problem=dict(n=200),
    work=lambda p: hl.Work(flops=0, bytes=4 * 60 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=7), dict(n=33)],
)
class jaggedspan:
    def inputs(p, rng):
        at = np.concatenate([[0], np.cumsum(rng.integers(0, 90, p.n))]).astype("i4")
        return dict(x=rng.integers(-(2**31), 2**31, max(int(at[-1]), 1), dtype="i4"), at=at, y=hl.empty(p.n, "i8"))

    def reference(p, x, at, y):
        s = [x[i:j].astype("i8") for i, j in zip(at[:-1], at[1:], strict=False)]
        return dict(y=np.array([v.max() - v.min() if v.size else -1 for v in s]))

    a = hl.OpenCL(A, "span", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "barrier", "no barrier in the reduction", "h >>= 1) {\n        barrier(CLK_LOCAL_MEM_FENCE);", "h >>= 1) {"),
    (
        "a",
        "barrier",
        "a barrier before the reduction only",
        "    for (int h = 16; h > 0; h >>= 1) {\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int h = 16; h > 0; h >>= 1) {",
    ),
    ("a", "bounds", "the element behind the list is seen", "k < end; k += 32", "k <= end; k += 32"),
    ("a", "overflow", "difference in 32 bits", "(long)hi[0] - lo[0]", "hi[0] - lo[0]"),
    ("a", "empty", "empty lists have a span", "at[g] == end ? -1 : ", ""),
    ("a", "bounds", "the reduction reads behind its arrays", "if (l < h) {", "if (l < 2 * h) {"),
]
