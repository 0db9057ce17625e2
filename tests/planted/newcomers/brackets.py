"""The depth of brackets behind each character of every row, and whether the row is balanced: round ones only, others are text."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *s, __global short *depth, __global uchar *fine, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int d = 0, low = 0;
    for (int i = 0; i < n; ++i) {
        const uchar c = s[r * n + i];
        d += (c == '(') - (c == ')');
        low = min(low, d);
        depth[r * n + i] = d;
    }
    fine[r] = d == 0 && low == 0;
}
"""
SCAN = """
#define W 64
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global const uchar *s, __global short *depth, __global uchar *fine, const int rows, const int n) {
    __local int a[W];
    __local int below;
    const int l = get_local_id(0), r = get_group_id(0);
    int base = 0;
    if (l == 0) below = 0;
    for (int t = 0; t < n; t += W) {
        const uchar c = t + l < n ? s[r * n + t + l] : 0;
        a[l] = (c == '(') - (c == ')');
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int o = 1; o < W; o <<= 1) {
            const int v = l >= o ? a[l - o] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            a[l] += v;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const int d = base + a[l];
        if (t + l < n) depth[r * n + t + l] = d;
        if (d < 0) below = 1;
        base += a[W - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) fine[r] = base == 0 && !below;
}
"""


@hl.kernel(
    problem=dict(rows=100, n=150),
    work=lambda p: hl.Work(flops=3 * p.rows * p.n, bytes=3 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=5, n=2), dict(rows=33, n=64), dict(rows=7, n=131)],
)
class brackets:
    def inputs(p, rng):
        s = rng.choice(np.frombuffer(b"()()()x[", "u1"), (p.rows, p.n))
        half = p.n // 2
        s[::3, :half], s[::3, half : 2 * half], s[::3, 2 * half :] = ord("("), ord(")"), ord(".")
        return dict(
            s=s,
            depth=hl.empty((p.rows, p.n), "i2"),
            fine=hl.empty(p.rows, "u1"),
            rows=np.int32(p.rows),
            n=np.int32(p.n),
        )

    def reference(p, s, depth, fine, rows, n):
        d = ((s == ord("(")).astype("i8") - (s == ord(")"))).cumsum(1)
        return dict(depth=d, fine=(d[:, -1] == 0) & (d.min(1) >= 0))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    scan = hl.OpenCL(SCAN, "k", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "case", "rows that close too early are fine", "d == 0 && low == 0", "d == 0"),
    (
        "plain",
        "type",
        "depths in eight bits",
        "d += (c == '(') - (c == ')');",
        "d = (char)(d + (c == '(') - (c == ')'));",
    ),
    ("plain", "bounds", "square ones count, too", "(c == '(')", "(c == '(' || c == '[')"),
    (
        "scan",
        "barrier",
        "no barrier between reading and adding",
        "            const int v = l >= o ? a[l - o] : 0;\n            barrier(CLK_LOCAL_MEM_FENCE);\n",
        "            const int v = l >= o ? a[l - o] : 0;\n",
    ),
    ("scan", "uninitialised", "nothing is said not to be below", "    if (l == 0) below = 0;\n", ""),
    ("scan", "tail", "what lies behind the row counts", "t + l < n ? s[r * n + t + l] : 0;", "s[r * n + t + l];"),
    ("scan", "lost-tail", "tiles do not add up", "base += a[W - 1];", "base = a[W - 1];"),
]
