"""Bitonic sort of rows whose length is a power of two."""

import numpy as np

import hotloop as hl

LOCAL = """
__kernel void sort(__global KEY *x, const int n) {
    __local KEY a[MOST];
    const int row = get_group_id(0), t = get_local_id(0);
    for (int i = t; i < n; i += WG) a[i] = x[row * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            for (int i = t; i < n; i += WG) {
                const int l = i ^ j;
                if (l > i) {
                    const int up = (i & k) == 0;
                    const KEY p = a[i], q = a[l];
                    if ((p > q) == up && p != q) { a[i] = q; a[l] = p; }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    for (int i = t; i < n; i += WG) x[row * n + i] = a[i];
}
"""
ITEM = """
__kernel void sort(__global KEY *x, const int n) {
    __global KEY *a = x + (size_t)get_global_id(0) * n;
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1)
            for (int i = 0; i < n; ++i) {
                const int l = i ^ j;
                if (l > i && ((i & k) == 0) == (a[i] > a[l]) && a[i] != a[l]) {
                    const KEY p = a[i];
                    a[i] = a[l];
                    a[l] = p;
                }
            }
}
"""


@hl.kernel(
    problem=dict(rows=24, n=512),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=2), dict(rows=5, n=64), dict(rows=3, n=1024)],
)
class bitonic:
    def inputs(p, rng):
        return dict(x=rng.integers(-(2**31), 2**31, (p.rows, p.n), dtype="i4"), n=np.int32(p.n))

    def reference(p, x, n):
        return dict(x=np.sort(x, axis=1))

    group = hl.OpenCL(
        LOCAL, "sort", dict(WG=[64]), defines=lambda p, c: dict(KEY="int", MOST=1024),
        global_size=lambda p, c: (p.rows * c.WG,), local_size=lambda p, c: (c.WG,),
    )  # fmt: skip
    item = hl.OpenCL(ITEM, "sort", defines=lambda p, c: dict(KEY="int"), global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("group", "last-stage", "the last merge is missing", "k <= n; k <<= 1", "k < n; k <<= 1"),
    ("group", "difference", "compares by a difference that overflows", "(p > q) == up", "((int)((uint)p - (uint)q) > 0) == up"),
    ("group", "unsigned", "compares as unsigned numbers", "(p > q) == up", "((uint)p > (uint)q) == up"),
    ("group", "direction", "the direction changes one bit early", "(i & k) == 0", "(i & (k >> 1)) == 0"),
    ("group", "barrier", "no barrier between the passes", "            barrier(CLK_LOCAL_MEM_FENCE);\n        }", "        }"),
    ("group", "lost-last", "the last element is not stored", "for (int i = t; i < n; i += WG) x[", "for (int i = t; i < n - 1; i += WG) x["),
    ("item", "difference", "compares by a difference that overflows", "a[i] > a[l]", "(int)((uint)a[i] - (uint)a[l]) > 0"),
    ("item", "float", "compares as floats", "(a[i] > a[l])", "((float)a[i] > (float)a[l])"),
]  # fmt: skip
