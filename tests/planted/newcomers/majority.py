"""The value that more than half of a row holds, or minus one, by the votes of Boyer and Moore."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const int *x, __global int *o, const int rows, const int n) {
    int r = get_global_id(0), c = 0, v = 0, m = 0;
    if (r >= rows) return;
    for (int j = 0; j < n; ++j) { int u = x[r * n + j]; if (!c) { v = u; c = 1; } else c += u == v ? 1 : -1; }
    for (int j = 0; j < n; ++j) m += x[r * n + j] == v;
    o[r] = 2 * m > n ? v : -1;
}
"""
B = """
__kernel void k(__global const int *x, __global int *o, const int rows, const int n) {
    __local int ones[32], count;
    int r = get_group_id(0), t = get_local_id(0), v = 0, m = 0;
    if (t < 32) ones[t] = 0;
    if (t == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = t; j < n; j += 64) for (int b = 0; b < 31; ++b) if (x[r * n + j] >> b & 1) atomic_inc(&ones[b]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = 0; b < 31; ++b) v |= (2 * ones[b] > n) << b;
    for (int j = t; j < n; j += 64) m += x[r * n + j] == v;
    atomic_add(&count, m);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) o[r] = 2 * count > n ? v : -1;
}
"""


@hl.kernel(
    problem=dict(rows=90, n=300),
    work=lambda p: hl.Work(flops=4 * p.rows * p.n, bytes=4 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=7, n=64), dict(rows=3, n=2)],
    domain=dict(x="range"),
)
class majority:
    def inputs(p, rng):
        x = rng.integers(0, 2**31, (p.rows, p.n), dtype="i4")
        part = rng.uniform(0.35, 0.65, (p.rows, 1))
        return dict(
            x=np.where(rng.random((p.rows, p.n)) < part, x[:, :1], x), o=hl.empty(p.rows, "int32"), rows=p.rows, n=p.n
        )

    def reference(p, x, o, rows, n):
        out = []
        for row in x:
            v, c = np.unique(row, return_counts=True)
            out.append(v[c.argmax()] if 2 * c.max() > n else -1)
        return dict(o=np.array(out, "i4"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.rows,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.rows * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "limit", "exactly half is enough", "2 * m > n", "2 * m >= n"),
    ("a", "loop", "votes are not counted again", "m += x[r * n + j] == v;", "m = n;"),
    ("a", "limit", "the last does not vote", "j < n; ++j) { int u", "j < n - 1; ++j) { int u"),
    ("a", "case", "whoever comes first stays", "if (!c) { v = u; c = 1; }", "if (!j) { v = u; c = 1; }"),
    ("b", "race", "votes are added without atomics", "atomic_inc(&ones[b])", "ones[b]++"),
    ("b", "narrow", "fifteen bits of a value", "b < 31; ++b) v", "b < 15; ++b) v"),
    ("b", "poison", "the count starts anywhere", "    if (t == 0) count = 0;\n", ""),
    ("b", "limit", "exactly half is enough", "2 * count > n", "2 * count >= n"),
]
