"""Keys put into sixteen buckets by fifteen sorted splitters, and how many fall into each."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void sp(__global const float *x, __global const float *s, __global uchar *b, __global uint *count, const int n) {
    __local uint h[16];
    __local float t[15];
    const int l = get_local_id(0), i = get_global_id(0);
    if (l < 16) h[l] = 0;
    if (l < 15) t[l] = s[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        int at = 0;
        for (int step = 8; step > 0; step >>= 1) if (t[at + step - 1] <= x[i]) at += step;
        b[i] = at;
        atomic_inc(&h[at]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16 && h[l]) atomic_add(&count[l], h[l]);
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
    domain=dict(x="finite", s="sorted"),
)
class splitters:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal(p.n, "f4"),
            s=np.sort(rng.standard_normal(15, "f4")),
            b=hl.empty(p.n, "u1"),
            count=rng.integers(0, 1000, 16, dtype="u4"),
            n=p.n,
        )

    def reference(p, x, s, b, count, n):
        at = np.searchsorted(s, x, side="right")
        return dict(b=at, count=count.astype("i8") + np.bincount(at, minlength=16))

    a = hl.OpenCL(A, "sp", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "ties", "keys that equal a splitter fall below it", "t[at + step - 1] <= x[i]", "t[at + step - 1] < x[i]"),
    ("a", "bounds", "the splitter behind is asked", "t[at + step - 1]", "t[at + step]"),
    ("a", "inout", "earlier counts are overwritten", "atomic_add(&count[l], h[l])", "count[l] = h[l]"),
    ("a", "atomic", "groups add without an atomic", "atomic_add(&count[l], h[l])", "count[l] += h[l]"),
    (
        "a",
        "barrier",
        "no barrier before counts are added",
        "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (l < 16 && h",
        "    }\n    if (l < 16 && h",
    ),
    ("a", "uninitialised", "the last count is not cleared", "if (l < 16) h[l] = 0;", "if (l < 15) h[l] = 0;"),
]
