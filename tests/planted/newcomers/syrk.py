"""The lower half of a matrix times its transpose, added to what is there."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *a, __global float *c, const float alpha, const float beta, const int n, const int m) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j > i) return;
    float s = 0.0f;
    for (int q = 0; q < m; ++q) s += a[i * m + q] * a[j * m + q];
    c[i * n + j] = alpha * s + beta * c[i * n + j];
}
"""
TILE = """
__kernel void k(__global const float *a, __global float *c, const float alpha, const float beta, const int n, const int m) {
    __local float u[8][9], v[8][9];
    const int x = get_local_id(0), y = get_local_id(1), j = get_global_id(0), i = get_global_id(1), top = get_group_id(0) * 8;
    float s = 0.0f;
    for (int base = 0; base < m; base += 8) {
        u[y][x] = i < n && base + x < m ? a[i * m + base + x] : 0.0f;
        v[y][x] = top + y < n && base + x < m ? a[(top + y) * m + base + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int q = 0; q < 8; ++q) s = fma(u[y][q], v[x][q], s);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n && j <= i) c[i * n + j] = fma(alpha, s, beta * c[i * n + j]);
}
"""


@hl.kernel(
    problem=dict(n=70, m=90),
    work=lambda p: hl.Work(flops=p.n * p.n * p.m, bytes=4 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=9, m=17), dict(n=16, m=8)],
    tolerance=hl.Tolerance(terms=lambda p: p.m + 2, absolute=5e-5),
)
class syrk:
    def inputs(p, rng):
        g = rng.standard_normal
        return dict(
            a=g((p.n, p.m), "f4"),
            c=g((p.n, p.n), "f4"),
            alpha=np.float32(1.25),
            beta=np.float32(0.5),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, a, c, alpha, beta, n, m):
        w = a.astype("f8")
        lower = np.tril(np.ones((p.n, p.n), bool))
        return dict(c=np.where(lower, float(alpha) * w @ w.T + float(beta) * c, c))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n, p.n))
    tile = hl.OpenCL(
        TILE, "k", global_size=lambda p, c: (-(-p.n // 8) * 8, -(-p.n // 8) * 8), local_size=lambda p, c: (8, 8)
    )


MUTANTS = [
    ("plain", "triangle", "the diagonal is left out", "j > i", "j >= i"),
    (
        "plain",
        "triangle",
        "the upper half is written too",
        "if (i >= n || j > i) return;",
        "if (i >= n || j >= n) return;",
    ),
    ("plain", "scalar", "beta is dropped", "beta * c[i * n + j]", "c[i * n + j]"),
    ("plain", "index", "columns of the transpose", "a[j * m + q]", "a[j * m + (q + 1) % m]"),
    ("tile", "barrier", "no barrier before the product", "0.0f;\n        barrier(CLK_LOCAL_MEM_FENCE);", "0.0f;"),
    (
        "tile",
        "barrier",
        "no barrier before the next tile",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    if",
        "    }\n    if",
    ),
    ("tile", "lost-tail", "a partial tile is left out", "base < m;", "base + 7 < m;"),
    ("tile", "bounds", "rows beyond the end", "top + y < n && base + x < m", "base + x < m"),
    ("tile", "index", "the tile transposed", "v[x][q]", "v[q][x]"),
]
