"""How many triangles each node of a graph is in, from rows of bits."""

import numpy as np

import hotloop as hl

A = """
__kernel void tri(__global const uint *m, __global int *y, const int n, const int words) {
    const int u = get_global_id(0);
    if (u >= n) return;
    int s = 0;
    for (int v = 0; v < n; ++v)
        if (m[u * words + (v >> 5)] >> (v & 31) & 1)
            for (int k = 0; k < words; ++k) s += popcount(m[u * words + k] & m[v * words + k]);
    y[u] = s / 2;
}
"""
B = """
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void tri(__global const uint *m, __global int *y, const int n, const int words) {
    __local int sum;
    const int u = get_group_id(0), l = get_local_id(0);
    if (l == 0) sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int v = l; v < n; v += 16)
        if (m[u * words + (v >> 5)] >> (v & 31) & 1)
            for (int k = 0; k < words; ++k) s += popcount(m[u * words + k] & m[v * words + k]);
    atomic_add(&sum, s);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) y[u] = sum / 2;
}
"""


@hl.kernel(
    problem=dict(n=120),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n * p.n // 8),
    awkward=lambda p: [dict(n=1), dict(n=33), dict(n=64)],
    domain=dict(m="fixed"),
)
class triangles:
    def inputs(p, rng):
        e = np.triu(rng.random((p.n, p.n)) < 0.3, 1)
        e = e | e.T
        w = -(-p.n // 32)
        full = np.zeros((p.n, w * 32), bool)
        full[:, : p.n] = e
        return dict(m=np.packbits(full, axis=1, bitorder="little").view("u4"), y=hl.empty(p.n, "i4"), n=p.n, words=w)

    def reference(p, m, y, n, words):
        e = np.unpackbits(m.view("u1").reshape(p.n, -1), axis=1, bitorder="little")[:, : p.n].astype("i8")
        return dict(y=(e @ e * e).sum(1) // 2)

    a = hl.OpenCL(A, "tri", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "tri", global_size=lambda p, c: (16 * p.n,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("a", "shift", "a bit is shifted as a signed number", ">> (v & 31) & 1)", "& (1 << (v & 15)))"),
    ("a", "tail", "the last word is not seen", "k < words; ++k", "k < words - (words > 3); ++k"),
    ("b", "atomic", "sums are added without an atomic", "atomic_add(&sum, s);", "sum += s;"),
    ("b", "barrier", "no barrier after the start", "sum = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", "sum = 0;"),
    (
        "b",
        "barrier",
        "no barrier before the result",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    if (l == 0) y",
        "    if (l == 0) y",
    ),
    ("b", "uninitialised", "the sum is not cleared", "if (l == 0) sum = 0;", ""),
    (
        "b",
        "race",
        "all items clear the sum at any time",
        "if (l == 0) sum = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "sum = 0;",
    ),
]
