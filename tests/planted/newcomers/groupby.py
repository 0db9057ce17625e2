"""Sum, least, largest and number of values by key, keys of one byte."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void group_by(__global const uchar *key, __global const int *v, __global long *sum, __global int *low, __global int *high, __global int *count, const int n) {
    const int k = get_group_id(0), l = get_local_id(0);
    __local long s[64];
    __local int a[64], b[64], c[64];
    s[l] = 0; a[l] = INT_MAX; b[l] = INT_MIN; c[l] = 0;
    for (int i = l; i < n; i += 64)
        if (key[i] == k) { s[l] += v[i]; a[l] = min(a[l], v[i]); b[l] = max(b[l], v[i]); ++c[l]; }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 32; h > 0; h >>= 1) {
        if (l < h) { s[l] += s[l + h]; a[l] = min(a[l], a[l + h]); b[l] = max(b[l], b[l + h]); c[l] += c[l + h]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) { sum[k] = s[0]; low[k] = a[0]; high[k] = b[0]; count[k] = c[0]; }
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=4 * p.n, bytes=5 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
)
class groupby:
    def inputs(p, rng):
        return dict(
            key=rng.integers(0, 256, p.n, dtype="u1"),
            v=rng.integers(-(2**31), 2**31, p.n, dtype="i4"),
            total=hl.empty(256, "i8"),
            low=hl.empty(256, "i4"),
            high=hl.empty(256, "i4"),
            count=hl.empty(256, "i4"),
            n=p.n,
        )

    def reference(p, key, v, total, low, high, count, n):
        a, b, s = np.full(256, 2**31 - 1), np.full(256, -(2**31)), np.zeros(256, "i8")
        np.minimum.at(a, key, v)
        np.maximum.at(b, key, v)
        np.add.at(s, key, v)
        return dict(total=s, low=a, high=b, count=np.bincount(key, minlength=256))

    a = hl.OpenCL(A, "group_by", global_size=lambda p, c: (256 * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "type", "sums in 32 bits", "__local long s[64];", "__local int s[64];"),
    ("a", "start", "largest starts at zero", "b[l] = INT_MIN", "b[l] = 0"),
    (
        "a",
        "barrier",
        "no barrier before the reduction",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int h",
        "    for (int h",
    ),
    ("a", "type", "signed keys", "__global const uchar *key", "__global const char *key"),
    ("a", "half", "the last step is left out", "h > 0; h >>= 1", "h > 1; h >>= 1"),
    ("a", "tail", "the last element is not seen", "i < n; i += 64", "i < n - (n > 64); i += 64"),
]
