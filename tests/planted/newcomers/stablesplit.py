"""Numbers parted by a flag, order kept, one group with counts of its items in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void split(__global const int *x, __global const uchar *flag, __global int *y, __global int *count, const int n) {
    __local int c[64];
    const int l = get_local_id(0), each = (n + 63) / 64, first = min(l * each, n), last = min(first + each, n);
    int mine = 0;
    for (int k = first; k < last; ++k) mine += flag[k] != 0;
    c[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 1; h < 64; h <<= 1) {
        const int v = l >= h ? c[l - h] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        c[l] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const int all = c[63];
    int t = c[l] - mine, f = all + first - t;
    for (int k = first; k < last; ++k) if (flag[k]) y[t++] = x[k]; else y[f++] = x[k];
    if (l == 0) count[0] = all;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 2 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=1000)],
    domain=dict(flag="any"),
)
class stablesplit:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 10**6, p.n, dtype="i4"),
            flag=(rng.random(p.n) < 0.3).astype("u1"),
            y=hl.empty(p.n, "i4"),
            count=hl.empty(1, "i4"),
            n=p.n,
        )

    def reference(p, x, flag, y, count, n):
        f = flag != 0
        return dict(y=np.concatenate([x[f], x[~f]]), count=np.array([f.sum()]))

    a = hl.OpenCL(A, "split", global_size=lambda p, c: (64,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier between reading and adding",
        "c[l - h] : 0;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "c[l - h] : 0;",
    ),
    ("a", "barrier", "no barrier after adding", "c[l] += v;\n        barrier(CLK_LOCAL_MEM_FENCE);", "c[l] += v;"),
    ("a", "barrier", "no barrier before the sums", "c[l] = mine;\n    barrier(CLK_LOCAL_MEM_FENCE);", "c[l] = mine;"),
    ("a", "flags", "only the lowest bit of a flag counts", "flag[k] != 0", "(flag[k] & 1)"),
    ("a", "bounds", "the last item goes on behind n", "last = min(first + each, n)", "last = first + each"),
]
