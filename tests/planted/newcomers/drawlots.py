"""Lots: for each row a permutation of 16 made by Fisher and Yates from random numbers."""

import numpy as np

import hotloop as hl

A = """
__kernel void lots(__global const uint *x, __global uchar *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uchar p[16];
    for (int k = 0; k < 16; ++k) p[k] = k;
    for (int k = 15; k > 0; --k) {
        const int j = mul_hi(x[i * 16 + k], (uint)(k + 1));
        const uchar v = p[k];
        p[k] = p[j];
        p[j] = v;
    }
    for (int k = 0; k < 16; ++k) y[i * 16 + k] = p[k];
}
"""


@hl.kernel(
    problem=dict(n=1500),
    work=lambda p: hl.Work(flops=0, bytes=4 * 20 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=333)],
    domain=dict(x="any"),
)
class drawlots:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 2**32, (p.n, 16), dtype="u4"), y=hl.empty((p.n, 16), "u1"), n=p.n)

    def reference(p, x, y, n):
        t, i = np.tile(np.arange(16), (p.n, 1)), np.arange(p.n)
        for k in range(15, 0, -1):
            j = (x[:, k].astype("u8") * np.uint64(k + 1) >> np.uint64(32)).astype("i8")
            t[i, k], t[i, j] = t[i, j], t[i, k].copy()
        return dict(y=t)

    a = hl.OpenCL(A, "lots", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "uninitialised",
        "the first place is not set",
        "for (int k = 0; k < 16; ++k) p[k]",
        "for (int k = 1; k < 16; ++k) p[k]",
    ),
    ("a", "bounds", "one place behind the permutation may be drawn", "(uint)(k + 1)", "(uint)(k + 2)"),
    ("a", "bounds", "a random number before the row", "x[i * 16 + k]", "x[i * 16 + k - 16]"),
    ("a", "shift", "by the remainder", "mul_hi(x[i * 16 + k], (uint)(k + 1))", "(int)(x[i * 16 + k] % (k + 1))"),
    ("a", "steps", "the last exchange is left out", "k > 0; --k", "k > 1; --k"),
]
