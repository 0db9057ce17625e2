"""Canberra distances between the rows of two tables, tile by tile."""

import numpy as np

import hotloop as hl

SOURCE = """
#define T 16
__kernel void canberra(__global const float *a, __global const float *b, __global float *out, const int n, const int m, const int k) {
    __local float ta[T][T + 1], tb[T][T + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    const int j = get_group_id(0) * T + x, i = get_group_id(1) * T + y, jb = get_group_id(0) * T + y;
    float sum = 0.0f;
    for (int f = 0; f < k; f += T) {
        ta[y][x] = i < n && f + x < k ? a[i * k + f + x] : 0.0f;
        tb[y][x] = jb < m && f + x < k ? b[jb * k + f + x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int t = 0; t < T; ++t) {
            const float p = ta[y][t], q = tb[x][t], s = fabs(p) + fabs(q);
            if (s > 0.0f) sum += fabs(p - q) / s;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n && j < m) out[i * m + j] = sum;
}
"""


@hl.kernel(
    problem=dict(n=70, m=90, k=40),
    work=lambda p: hl.Work(flops=5 * p.n * p.m * p.k, bytes=4 * (p.n * p.k + p.m * p.k + p.n * p.m)),
    awkward=lambda p: [dict(n=1, m=1, k=1), dict(n=17, m=15, k=33), dict(n=2, m=65, k=16)],
    tolerance=hl.Tolerance(terms=lambda p: p.k + 4, absolute=1e-5),
)
class canberra:
    def inputs(p, rng):
        def counts(rows):
            return rng.poisson(2.0, (rows, p.k)).astype("f4") * rng.choice([-1, 1], (rows, p.k)).astype("f4")

        return dict(
            a=counts(p.n), b=counts(p.m), out=hl.empty((p.n, p.m)), n=np.int32(p.n), m=np.int32(p.m), k=np.int32(p.k)
        )

    def reference(p, a, b, out, n, m, k):
        u, v = a.astype("f8")[:, None], b.astype("f8")[None]
        scale = np.abs(u) + np.abs(v)
        return dict(out=np.where(scale > 0, np.abs(u - v) / np.where(scale > 0, scale, 1), 0).sum(axis=2))

    tiled = hl.OpenCL(
        SOURCE,
        "canberra",
        global_size=lambda p, c: (-(-p.m // 16) * 16, -(-p.n // 16) * 16),
        local_size=lambda p, c: (16, 16),
    )


MUTANTS = [
    (
        "tiled",
        "barrier",
        "no barrier after the tile is used",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }",
        "        }\n    }",
    ),
    (
        "tiled",
        "barrier",
        "no barrier after the tile is loaded",
        ": 0.0f;\n        barrier(CLK_LOCAL_MEM_FENCE);\n        for",
        ": 0.0f;\n        for",
    ),
    ("tiled", "formula", "the magnitude of the sum", "s = fabs(p) + fabs(q);", "s = fabs(p + q);"),
    (
        "tiled",
        "lost-tail",
        "features of the last partial tile are lost",
        "f < k; f += T",
        "f + T <= k || f == 0; f += T",
    ),
    (
        "tiled",
        "boundary",
        "the tile's tail takes the next row",
        "jb < m && f + x < k ?",
        "jb < m && jb * k + f + x < m * k ?",
    ),
    (
        "tiled",
        "limit",
        "two zeros are one apart",
        "if (s > 0.0f) sum += fabs(p - q) / s;",
        "sum += s > 0.0f ? fabs(p - q) / s : (f + t < k);",
    ),
]
