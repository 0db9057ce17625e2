"""Mann and Whitney's U of pairs of samples, doubled: pairs in which the first is larger count two, equal ones one."""

import hotloop as hl

A = """
__kernel void u2(__global const int *a, __global const int *b, __global int *u, const int na, const int nb) {
    __local int part[32];
    const int row = get_group_id(0), t = get_local_id(0);
    int sum = 0;
    for (int k = t; k < na * nb; k += 32) {
        const int p = a[row * na + k / nb], q = b[row * nb + k % nb];
        sum += (p > q) + (p >= q);
    }
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        int all = 0;
        for (int k = 0; k < 32; ++k) all += part[k];
        u[row] = all;
    }
}
"""


@hl.kernel(
    problem=dict(m=20, na=37, nb=50),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.m * (p.na + p.nb)),
    awkward=lambda p: [dict(m=1, na=1, nb=1), dict(m=3, na=5, nb=2), dict(m=2, na=1, nb=40)],
    domain=dict(a="any", b="any"),
)
class mannwhit:
    def inputs(p, rng):
        return dict(
            a=rng.integers(-60, 60, (p.m, p.na), dtype="i4"), b=rng.integers(-60, 60, (p.m, p.nb), dtype="i4"),
            u=hl.empty(p.m, "i4"), na=p.na, nb=p.nb,
        )  # fmt: skip

    def reference(p, a, b, u, na, nb):
        x, y = a[:, :, None], b[:, None, :]
        return dict(u=(x > y).sum((1, 2)) + (x >= y).sum((1, 2)))

    a = hl.OpenCL(A, "u2", global_size=lambda p, c: (32 * p.m,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "ties", "equal pairs count two", "(p > q) + (p >= q)", "2 * (p >= q)"),
    ("a", "overflow", "compared by difference", "(p > q) + (p >= q)", "(p - q > 0) + (p - q >= 0)"),
    ("a", "index", "the quotient by the other length", "k / nb], q", "k / na], q"),
    ("a", "index", "every row has the first's b", "b[row * nb + k % nb]", "b[k % nb]"),
    ("a", "barrier", "no barrier", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("a", "tail", "pairs of the last part are lost", "k < na * nb; k", "k < na * nb / 32 * 32; k"),
]
