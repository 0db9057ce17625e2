"""Position of each query among sorted keys: the first key that is not smaller (lower bound)."""

import numpy as np

import hotloop as hl

HALVING = """
__kernel void bsearch(__global const float *keys, __global const float *q, __global int *at, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= m) return;
    int low = 0, high = n;
    while (low < high) {
        const int mid = (low + high) / 2;
        if (keys[mid] < q[i]) low = mid + 1; else high = mid;
    }
    at[i] = low;
}
"""
COUNTING = """
__kernel void bsearch(__global const float *keys, __global const float *q, __global int *at, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= m) return;
    int count = 0;
    for (int k = 0; k < n; ++k) count += keys[k] < q[i];
    at[i] = count;
}
"""


@hl.kernel(
    problem=dict(n=300, m=2000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n + 8 * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=2, m=77), dict(n=129, m=65)],
)
class bsearch:
    def inputs(p, rng):
        keys = np.sort(rng.standard_normal(p.n, "f4"))
        return dict(
            keys=keys, q=rng.standard_normal(p.m, "f4"), at=hl.empty(p.m, "int32"), n=np.int32(p.n), m=np.int32(p.m)
        )

    def reference(p, keys, q, at, n, m):
        return dict(at=np.searchsorted(keys, q, side="left"))

    halving = hl.OpenCL(HALVING, "bsearch", global_size=lambda p, c: (p.m,))
    counting = hl.OpenCL(COUNTING, "bsearch", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("halving", "upper", "behind equal keys instead of before them", "keys[mid] < q[i]", "keys[mid] <= q[i]"),
    ("halving", "last", "the last key is never met", "high = n;", "high = n - 1;"),
    ("halving", "step", "one key is skipped", "low = mid + 1", "low = mid + 2"),
    ("counting", "upper", "equal keys count", "keys[k] < q[i]", "keys[k] <= q[i]"),
    ("counting", "magnitude", "magnitudes are compared", "keys[k] < q[i]", "fabs(keys[k]) < fabs(q[i])"),
    ("counting", "narrow", "counts in eight bits", "int count", "uchar count"),
]
