"""Second differences of samples and the parameter of Rice's code for each block."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void fl(__global const short *x, __global int *e, __global int *rice, const int cols) {
    __local ulong t[32];
    const int l = get_local_id(0), r = get_group_id(0);
    ulong s = 0;
    for (int c = l; c < cols; c += 32) {
        __global const short *p = x + (long)r * cols + c;
        int v = p[0];
        if (c >= 2) v = v - 2 * p[-1] + p[-2];
        e[(long)r * cols + c] = v;
        s += (uint)((v << 1) ^ (v >> 31));
    }
    t[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 16; h > 0; h >>= 1) {
        if (l < h) t[l] += t[l + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int k = 0;
    while (((ulong)cols << k) < t[0]) ++k;
    if (l == 0) rice[r] = k;
}
"""


@hl.kernel(
    problem=dict(rows=40, cols=1152),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=2), dict(rows=5, cols=333)],
)
class flacres:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-(2**15), 2**15, (p.rows, p.cols), dtype="i2"),
            e=hl.empty((p.rows, p.cols), "i4"),
            rice=hl.empty(p.rows, "i4"),
            cols=p.cols,
        )

    def reference(p, x, e, rice, cols):
        t = x.astype("i8")
        e = t.copy()
        e[:, 2:] = t[:, 2:] - 2 * t[:, 1:-1] + t[:, :-2]
        total = np.where(e < 0, -2 * e - 1, 2 * e).sum(1)
        k = np.zeros(p.rows, "i8")
        for _ in range(40):
            k += (p.cols << k) < total
        return dict(e=e, rice=k)

    a = hl.OpenCL(A, "fl", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "narrow", "differences in 16 bits", "int v = p[0];", "short v = p[0];"),
    ("a", "bounds", "the second sample has a difference, too", "if (c >= 2)", "if (c >= 1)"),
    ("a", "narrow", "sums in 32 bits", "ulong s = 0;", "uint s = 0;"),
    ("a", "limit", "one more bit where the sum is just reached", "<< k) < t[0]", "<< k) <= t[0]"),
    ("a", "barrier", "no barrier between steps", "t[l + h];\n        barrier(CLK_LOCAL_MEM_FENCE);", "t[l + h];"),
    ("a", "bounds", "one item more adds", "if (l < h) t[l]", "if (l <= h) t[l]"),
]
