"""Many small matrices in LU form, without pivoting, in place; the diagonals dominate."""

import numpy as np

import hotloop as hl

ITEM = """
__kernel void k(__global float *a, const int count, const int n) {
    const int g = get_global_id(0);
    if (g >= count) return;
    __global float *m = a + (long)g * n * n;
    for (int p = 0; p < n; ++p)
        for (int i = p + 1; i < n; ++i) {
            const float f = m[i * n + p] / m[p * n + p];
            m[i * n + p] = f;
            for (int j = p + 1; j < n; ++j) m[i * n + j] -= f * m[p * n + j];
        }
}
"""
GROUP = """
#define W 16
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global float *a, const int count, const int n) {
    const int g = get_group_id(0), l = get_local_id(0);
    __global float *m = a + (long)g * n * n;
    for (int p = 0; p < n; ++p) {
        for (int i = p + 1 + l; i < n; i += W) {
            const float f = m[i * n + p] / m[p * n + p];
            m[i * n + p] = f;
            for (int j = p + 1; j < n; ++j) m[i * n + j] -= f * m[p * n + j];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(count=60, n=20),
    work=lambda p: hl.Work(flops=p.count * p.n**3 // 2, bytes=8 * p.count * p.n**2),
    awkward=lambda p: [dict(count=1, n=1), dict(count=3, n=17), dict(count=5, n=2)],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.n, absolute=1e-5),
    domain=dict(a="fixed"),
)
class lu:
    def inputs(p, rng):
        a = rng.uniform(-1, 1, (p.count, p.n, p.n)).astype("f4")
        a += np.eye(p.n, dtype="f4") * np.float32(p.n)
        return dict(a=a, count=np.int32(p.count), n=np.int32(p.n))

    def reference(p, a, count, n):
        m = a.astype("f8").copy()
        for q in range(p.n):
            m[:, q + 1 :, q] /= m[:, q, q][:, None]
            m[:, q + 1 :, q + 1 :] -= m[:, q + 1 :, q][:, :, None] * m[:, q, q + 1 :][:, None]
        return dict(a=m)

    item = hl.OpenCL(ITEM, "k", global_size=lambda p, c: (p.count,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (16 * p.count,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("item", "lost-tail", "the last column is not changed", "j < n; ++j) m", "j < n - 1; ++j) m"),
    ("item", "index", "the pivot of the row itself", "m[i * n + p] / m[p * n + p]", "m[i * n + p] / m[i * n + i]"),
    ("item", "zeroed", "factors are not stored", "            m[i * n + p] = f;\n", ""),
    ("group", "barrier", "no barrier between columns", "        barrier(CLK_GLOBAL_MEM_FENCE);\n", ""),
    ("group", "stride", "every 17th row", "i += W", "i += W + 1"),
    (
        "group",
        "precision",
        "factors are rounded to 12 bits",
        "            m[i * n + p] = f;",
        "            m[i * n + p] = as_float(as_uint(f) & 0xfffff000u);",
    ),
]
