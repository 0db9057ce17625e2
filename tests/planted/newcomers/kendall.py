"""Concordant less discordant pairs of each element with the earlier ones, summed by groups (Kendall's tau)."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void kt(__global const float *x, __global const float *y, __global long *o, const int n) {
    __local long t[64];
    const int l = get_local_id(0), i = get_global_id(0);
    long s = 0;
    if (i < n)
        for (int j = 0; j < i; ++j) s += ((x[i] > x[j]) - (x[i] < x[j])) * ((y[i] > y[j]) - (y[i] < y[j]));
    t[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 32; h > 0; h >>= 1) {
        if (l < h) t[l] += t[l + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[get_group_id(0)] = t[0];
}
"""


@hl.kernel(
    problem=dict(n=700),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=128)],
)
class kendall:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal(p.n, "f4"), y=rng.standard_normal(p.n, "f4"), o=hl.empty(-(-p.n // 64), "i8"), n=p.n
        )

    def reference(p, x, y, o, n):
        out = np.zeros(-(-p.n // 64), "i8")
        for i in range(p.n):
            a, b = x[:i], y[:i]
            out[i // 64] += (((x[i] > a).astype("i8") - (x[i] < a)) * ((y[i] > b).astype("i8") - (y[i] < b))).sum()
        return dict(o=out)

    a = hl.OpenCL(A, "kt", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "ties", "pairs equal in x count as concordant", "((x[i] > x[j]) - (x[i] < x[j]))", "(x[i] >= x[j] ? 1 : -1)"),
    ("a", "ties", "pairs equal in y count", "((y[i] > y[j]) - (y[i] < y[j]))", "(y[i] > y[j] ? 1 : -1)"),
    ("a", "uninitialised", "items behind the last leave nothing", "    t[l] = s;", "    if (i < n) t[l] = s;"),
    ("a", "barrier", "no barrier before the sum", "t[l] = s;\n    barrier(CLK_LOCAL_MEM_FENCE);", "t[l] = s;"),
    ("a", "narrow", "sums in 8 bits", "long s = 0;", "char s = 0;"),
    ("a", "bits", "compared as integers", "(x[i] > x[j])", "(as_int(x[i]) > as_int(x[j]))"),
]
