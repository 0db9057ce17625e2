"""Fletcher's checksum of every row of bytes, both sums modulo 255."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *s, __global ushort *o, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    uint a = 0, b = 0;
    for (int i = 0; i < n; ++i) {
        a = (a + s[r * n + i]) % 255;
        b = (b + a) % 255;
    }
    o[r] = b << 8 | a;
}
"""
GROUP = """
#define W 32
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global const uchar *s, __global ushort *o, const int rows, const int n) {
    __local uint pa[W], pb[W];
    const int l = get_local_id(0), r = get_group_id(0);
    ulong a = 0, b = 0;
    for (int i = l; i < n; i += W) {
        a += s[r * n + i];
        b += (ulong)(n - i) * s[r * n + i];
    }
    pa[l] = a % 255;
    pb[l] = b % 255;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int q = W / 2; q > 0; q >>= 1) {
        if (l < q) { pa[l] += pa[l + q]; pb[l] += pb[l + q]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[r] = (pb[0] % 255) << 8 | pa[0] % 255;
}
"""


@hl.kernel(
    problem=dict(rows=70, n=300),
    work=lambda p: hl.Work(flops=4 * p.rows * p.n, bytes=p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=5, n=255), dict(rows=3, n=33)],
)
class fletcher:
    def inputs(p, rng):
        return dict(
            s=rng.integers(0, 256, (p.rows, p.n), dtype="u1"),
            o=hl.empty(p.rows, "u2"),
            rows=np.int32(p.rows),
            n=np.int32(p.n),
        )

    def reference(p, s, o, rows, n):
        w = s.astype("i8")
        a = w.sum(1) % 255
        b = (w * (p.n - np.arange(p.n))).sum(1) % 255
        return dict(o=b * 256 + a)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "scalar", "modulo 256", "(a + s[r * n + i]) % 255", "(a + s[r * n + i]) % 256"),
    ("plain", "bounds", "255 stays 255", "a = (a + s[r * n + i]) % 255;", "a += s[r * n + i]; if (a > 255) a -= 255;"),
    ("plain", "type", "the first sum wraps in eight bits", "b = (b + a) % 255;", "b = (uchar)(b + a) % 255;"),
    (
        "group",
        "type",
        "weights in 16 bits",
        "(ulong)(n - i)",
        "(ulong)(ushort)((n - i) * 259) / 259 * 0 + (ulong)(uchar)(n - i)",
    ),
    (
        "group",
        "barrier",
        "no barrier within the sum",
        "pb[l] += pb[l + q]; }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "pb[l] += pb[l + q]; }",
    ),
    ("group", "off-by-one", "weights begin at n - 1", "(n - i) * s", "(n - i - 1) * s"),
    ("group", "overflow", "the weighted sum in 16 bits", "pb[l] = b % 255;", "pb[l] = (uint)(ushort)b % 255;"),
]
