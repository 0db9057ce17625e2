"""The product of a conjugated transpose with a matrix in complex numbers: A^H B, of k x m and k x n."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float2 *a, __global const float2 *b, __global float2 *c, const int m, const int n, const int kk) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (i >= m || j >= n) return;
    float2 s = 0;
    for (int p = 0; p < kk; ++p) {
        const float2 u = a[p * m + i], v = b[p * n + j];
        s += (float2)(u.x * v.x + u.y * v.y, u.x * v.y - u.y * v.x);
    }
    c[i * n + j] = s;
}
"""
TILE = """
#define T 8
__attribute__((reqd_work_group_size(T, T, 1)))
__kernel void k(__global const float2 *a, __global const float2 *b, __global float2 *c, const int m, const int n, const int kk) {
    __local float2 ta[T][T], tb[T][T];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int j = get_group_id(0) * T + lx, i0 = get_group_id(1) * T;
    float re = 0, im = 0;
    for (int p = 0; p < kk; p += T) {
        ta[ly][lx] = p + ly < kk && i0 + lx < m ? a[(p + ly) * m + i0 + lx] : (float2)(0);
        tb[ly][lx] = p + ly < kk && j < n ? b[(p + ly) * n + j] : (float2)(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int q = 0; q < T; ++q) {
            const float2 u = ta[q][ly], v = tb[q][lx];
            re += u.x * v.x + u.y * v.y;
            im += u.x * v.y - u.y * v.x;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i0 + ly < m && j < n) c[(i0 + ly) * n + j] = (float2)(re, im);
}
"""


@hl.kernel(
    problem=dict(m=40, n=50, k=60),
    work=lambda p: hl.Work(flops=8 * p.m * p.n * p.k, bytes=8 * (p.m * p.k + p.n * p.k + p.m * p.n)),
    awkward=lambda p: [dict(m=1, n=1, k=1), dict(m=9, n=17, k=5), dict(m=16, n=8, k=33)],
    tolerance=hl.Tolerance(terms=lambda p: 2 * p.k, absolute=1e-5),
)
class cgemm:
    def inputs(p, rng):
        return dict(
            a=rng.standard_normal((p.k, p.m, 2), "f4"),
            b=rng.standard_normal((p.k, p.n, 2), "f4"),
            c=hl.empty((p.m, p.n, 2)),
            m=np.int32(p.m),
            n=np.int32(p.n),
            kk=np.int32(p.k),
        )

    def reference(p, a, b, c, m, n, kk):
        u, v = a.astype("f8"), b.astype("f8")
        re = u[..., 0].T @ v[..., 0] + u[..., 1].T @ v[..., 1]
        im = u[..., 0].T @ v[..., 1] - u[..., 1].T @ v[..., 0]
        return dict(c=np.stack([re, im], axis=-1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n, p.m))
    tile = hl.OpenCL(
        TILE, "k", global_size=lambda p, c: (-(-p.n // 8) * 8, -(-p.m // 8) * 8), local_size=lambda p, c: (8, 8)
    )


MUTANTS = [
    (
        "plain",
        "sign",
        "not conjugated",
        "u.x * v.x + u.y * v.y, u.x * v.y - u.y * v.x",
        "u.x * v.x - u.y * v.y, u.x * v.y + u.y * v.x",
    ),
    ("plain", "sign", "the other one is conjugated", "u.x * v.y - u.y * v.x", "u.y * v.x - u.x * v.y"),
    ("plain", "zeroed", "imaginary parts of B are not there", "u.x * v.x + u.y * v.y,", "u.x * v.x,"),
    (
        "tile",
        "barrier",
        "no barrier before the next tile",
        "            im += u.x * v.y - u.y * v.x;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "            im += u.x * v.y - u.y * v.x;\n        }",
    ),
    ("tile", "tail", "k is not bounded in A", "p + ly < kk && i0 + lx < m", "i0 + lx < m"),
    ("tile", "fragment", "the tile of A is read as it was written", "u = ta[q][ly]", "u = ta[ly][q]"),
]
