"""The k-th largest of each row of whole numbers with a sign, found bit by bit, and how many are larger."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const int *x, __global int *o, __global int *above, int rows, int w, int kth) {
    int r = get_global_id(0);
    if (r >= rows) return;
    uint v = 0;
    for (int bit = 31; bit >= 0; --bit) {
        uint t = v | 1u << bit;
        int c = 0;
        for (int i = 0; i < w; ++i) c += ((uint)x[r * w + i] ^ 0x80000000u) >= t;
        if (c >= kth) v = t;
    }
    int c = 0, m = (int)(v ^ 0x80000000u);
    for (int i = 0; i < w; ++i) c += x[r * w + i] > m;
    o[r] = m; above[r] = c;
}
"""
B = """
__kernel void k(__global const int *x, __global int *o, __global int *above, int rows, int w, int kth) {
    __local int c[32];
    int r = get_group_id(0), l = get_local_id(0), left = kth;
    uint mask = 0, v = 0;
    for (int s = 28; s >= 0; s -= 4) {
        if (l < 16) c[l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = l; i < w; i += 32) {
            uint y = as_uint(x[r * w + i]) ^ 0x80000000u;
            if ((y & mask) == v) atomic_inc(&c[y >> s & 15]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        int d = 15;
        while (c[d] < left) left -= c[d--];
        v |= (uint)d << s; mask |= 15u << s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) { o[r] = (int)(v ^ 0x80000000u); above[r] = kth - left; }
}
"""


@hl.kernel(
    problem=dict(rows=60, w=150, kth=10),
    work=lambda p: hl.Work(flops=64 * p.rows * p.w, bytes=4 * p.rows * p.w),
    awkward=lambda p: [dict(rows=1, w=10, kth=10), dict(rows=5, w=33, kth=1), dict(rows=7, w=64, kth=31)],
    domain=dict(kth="fixed", w="any"),
)
class radixsel:
    def inputs(p, rng):
        if p.kth > p.w:
            raise ValueError("kth beyond the row")
        x = rng.integers(-(2**31), 2**31, (p.rows, p.w), dtype="i4")
        x[::2] = x[::2] >> 27
        return dict(x=x, o=hl.empty(p.rows, "int32"), above=hl.empty(p.rows, "int32"), rows=p.rows, w=p.w, kth=p.kth)

    def reference(p, x, o, above, rows, w, kth):
        v = np.sort(x, axis=1)[:, w - kth]
        return dict(o=v, above=(x > v[:, None]).sum(1))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.rows,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.rows * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "sign", "without the sign's turn", "(uint)x[r * w + i] ^ 0x80000000u", "(uint)x[r * w + i]"),
    ("a", "limit", "one rank off", "c >= kth", "c > kth"),
    ("a", "last", "the last bit is not asked", "bit >= 0", "bit > 0"),
    ("a", "ties", "equal ones count as larger", "x[r * w + i] > m", "x[r * w + i] >= m"),
    (
        "b",
        "barrier",
        "no barrier before the counts are cleared again",
        "mask |= 15u << s;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "mask |= 15u << s;",
    ),
    ("b", "atomic", "no atomic", "atomic_inc(&c[y >> s & 15])", "c[y >> s & 15]++"),
    ("b", "mask", "all rows count in every round", "if ((y & mask) == v)", "if (1)"),
    ("b", "start", "the last count is not cleared", "if (l < 16)", "if (l < 15)"),
]
