"""Prefixes of compositions of affine maps modulo 2^32 along rows: (a, b) then (c, d) is (ac, bc + d), which does not commute."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uint *a, __global const uint *b, __global uint *oa, __global uint *ob, int rows, int w) {
    int r = get_global_id(0);
    if (r >= rows) return;
    uint x = 1, y = 0;
    for (int i = 0; i < w; ++i) {
        int p = r * w + i;
        y = y * a[p] + b[p];
        x *= a[p];
        oa[p] = x; ob[p] = y;
    }
}
"""
B = """
__kernel void k(__global const uint *a, __global const uint *b, __global uint *oa, __global uint *ob, int rows, int w) {
    __local uint2 s[64];
    int r = get_group_id(0), l = get_local_id(0);
    uint2 carry = (uint2)(1, 0);
    for (int base = 0; base < w; base += 64) {
        int i = base + l, p = r * w + i;
        uint2 m = i < w ? (uint2)(a[p], b[p]) : (uint2)(1, 0);
        s[l] = m;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 64; d *= 2) {
            uint2 q = l >= d ? s[l - d] : (uint2)(1, 0);
            barrier(CLK_LOCAL_MEM_FENCE);
            m = (uint2)(q.x * m.x, q.y * m.x + m.y);
            s[l] = m;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (i < w) { oa[p] = carry.x * m.x; ob[p] = carry.y * m.x + m.y; }
        uint2 t = s[63];
        carry = (uint2)(carry.x * t.x, carry.y * t.x + t.y);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(rows=30, w=200),
    work=lambda p: hl.Work(flops=4 * p.rows * p.w, bytes=16 * p.rows * p.w),
    awkward=lambda p: [dict(rows=1, w=1), dict(rows=3, w=65), dict(rows=2, w=129)],
)
class affscan:
    def inputs(p, rng):
        g = lambda: rng.integers(0, 2**32, (p.rows, p.w), dtype="u4")
        return dict(
            a=g() | 1,
            b=g(),
            oa=hl.empty((p.rows, p.w), "uint32"),
            ob=hl.empty((p.rows, p.w), "uint32"),
            rows=p.rows,
            w=p.w,
        )

    def reference(p, a, b, oa, ob, rows, w):
        x, y = np.ones(rows, "u4"), np.zeros(rows, "u4")
        xs, ys = [], []
        for i in range(w):
            y = y * a[:, i] + b[:, i]
            x = x * a[:, i]
            xs.append(x)
            ys.append(y)
        return dict(oa=np.stack(xs, 1), ob=np.stack(ys, 1))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.rows,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.rows * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "order", "maps are composed the other way", "y = y * a[p] + b[p];", "y = y + x * b[p];"),
    (
        "a",
        "order",
        "the product is made first",
        "y = y * a[p] + b[p];\n        x *= a[p];",
        "x *= a[p];\n        y = y * x + b[p];",
    ),
    (
        "b",
        "carry",
        "the carry is not taken on",
        "oa[p] = carry.x * m.x; ob[p] = carry.y * m.x + m.y;",
        "oa[p] = carry.x * m.x; ob[p] = m.y + carry.y;",
    ),
    (
        "b",
        "barrier",
        "no barrier after reading",
        "(uint2)(1, 0);\n            barrier(CLK_LOCAL_MEM_FENCE);\n            m =",
        "(uint2)(1, 0);\n            m =",
    ),
    ("b", "barrier", "no barrier between tiles", "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n}", "    }\n}"),
    ("b", "span", "the last step is missing", "d < 64; d *= 2", "d < 32; d *= 2"),
    ("b", "order", "the partner behind", "(uint2)(q.x * m.x, q.y * m.x + m.y)", "(uint2)(q.x * m.x, m.y * q.x + q.y)"),
]
