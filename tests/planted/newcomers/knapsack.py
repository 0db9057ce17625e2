"""The best value of things of whole weights within each capacity (0/1 knapsack), small sets, one a work-item."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const int *w, __global const int *v, __global int *best, int sets, int items) {
    int s = get_global_id(0);
    if (s >= sets) return;
    int d[65];
    for (int c = 0; c <= 64; ++c) d[c] = 0;
    for (int i = 0; i < items; ++i) {
        int a = w[s * items + i], b = v[s * items + i];
        for (int c = 64; c >= a; --c) d[c] = max(d[c], d[c - a] + b);
    }
    for (int c = 0; c <= 64; ++c) best[s * 65 + c] = d[c];
}
"""
B = """
__kernel void k(__global const int *w, __global const int *v, __global int *best, int sets, int items) {
    int s = get_group_id(0), c = get_local_id(0);
    __local int d[2][65];
    d[0][c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < items; ++i) {
        int a = w[s * items + i], now = i & 1, x = d[now][c];
        if (c >= a) x = max(x, d[now][c - a] + v[s * items + i]);
        d[now ^ 1][c] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    best[s * 65 + c] = d[items & 1][c];
}
"""


@hl.kernel(
    problem=dict(sets=100, things=12),
    work=lambda p: hl.Work(flops=130 * p.sets * p.things, bytes=260 * p.sets),
    awkward=lambda p: [dict(sets=1, things=1), dict(sets=7, things=5)],
    domain=dict(w="range"),
)
class knapsack:
    def inputs(p, rng):
        return dict(
            w=rng.integers(1, 30, (p.sets, p.things), dtype="i4"),
            v=rng.integers(1, 100, (p.sets, p.things), dtype="i4"),
            best=hl.empty((p.sets, 65), "int32"),
            sets=p.sets,
            things=p.things,
        )

    def reference(p, w, v, best, sets, things):
        d = np.zeros((sets, 65), "i8")
        for i in range(things):
            e = d.copy()
            for s in range(sets):
                a = w[s, i]
                e[s, a:] = np.maximum(d[s, a:], d[s, : 65 - a] + int(v[s, i]))
            d = e
        return dict(best=d)

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.sets,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.sets * 65,), local_size=lambda p, c: (65,))


MUTANTS = [
    ("a", "order", "things may be taken again", "for (int c = 64; c >= a; --c)", "for (int c = a; c <= 64; ++c)"),
    ("a", "limit", "exactly full is not allowed", "c >= a; --c", "c > a; --c"),
    ("a", "last", "the last thing is left", "i < items; ++i", "i < items - 1; ++i"),
    ("b", "barrier", "no barrier between things", "        barrier(CLK_LOCAL_MEM_FENCE);\n    }", "    }"),
    ("b", "barrier", "no first barrier", "d[0][c] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", "d[0][c] = 0;"),
    ("b", "parity", "always the first half", "d[items & 1][c]", "d[0][c]"),
    ("b", "buffer", "one buffer", "d[now ^ 1][c] = x", "d[now][c] = x; d[now ^ 1][c] = x"),
]
