"""Directed Hausdorff distances of pairs of sets of points, squared: tiles in local memory, a group for each pair, a maximum at the end."""

import numpy as np

import hotloop as hl

A = """
#define T 64
__kernel __attribute__((reqd_work_group_size(T, 1, 1)))
void hausdorff(__global const float2 *a, __global const float2 *b, __global float *most, const int n, const int m) {
    __local float2 tile[T];
    __local uint top;
    const int pair = get_group_id(0), l = get_local_id(0);
    a += (size_t)pair * n;
    b += (size_t)pair * m;
    if (l == 0) top = 0u;
    for (int block = 0; block < n; block += T) {
        const bool mine = block + l < n;
        const float2 at = mine ? a[block + l] : (float2)(0.0f);
        float near = INFINITY;
        for (int first = 0; first < m; first += T) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (first + l < m) tile[l] = b[first + l];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int k = 0; k < min(T, m - first); ++k) {
                const float2 d = at - tile[k];
                near = fmin(near, dot(d, d));
            }
        }
        if (mine) atomic_max(&top, as_uint(near));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) most[pair] = as_float(top);
}
"""


@hl.kernel(
    problem=dict(pairs=12, n=150, m=200),
    work=lambda p: hl.Work(flops=6 * p.pairs * p.n * p.m, bytes=8 * p.pairs * (p.n + p.m)),
    awkward=lambda p: [dict(pairs=1, n=1, m=1), dict(pairs=3, n=63, m=130), dict(pairs=2, n=257, m=64)],
    tolerance=hl.Tolerance(terms=8),
)
class hausdorff:
    def inputs(p, rng):
        return dict(
            a=rng.standard_normal((p.pairs, p.n, 2)).astype("f4"),
            b=rng.standard_normal((p.pairs, p.m, 2)).astype("f4"),
            most=hl.empty(p.pairs),
            n=p.n,
            m=p.m,
        )

    def reference(p, a, b, most, n, m):
        out = np.empty(p.pairs)
        for k in range(p.pairs):
            gaps = a[k].astype("f8")[:, None] - b[k].astype("f8")
            out[k] = (gaps**2).sum(-1).min(1).max()
        return dict(most=out)

    a = hl.OpenCL(A, "hausdorff", global_size=lambda p, c: (64 * p.pairs,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier before the tile is filled",
        "first += T) {\n            barrier(CLK_LOCAL_MEM_FENCE);\n",
        "first += T) {\n",
    ),
    (
        "a",
        "barrier",
        "no barrier after the tile is filled",
        "b[first + l];\n            barrier(CLK_LOCAL_MEM_FENCE);\n",
        "b[first + l];\n",
    ),
    (
        "a",
        "barrier",
        "no barrier before the maximum is read",
        "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (l == 0) most",
        "    }\n    if (l == 0) most",
    ),
    (
        "a",
        "lost-tail",
        "whole tiles only",
        "k < min(T, m - first)",
        "k < (m - first >= T || m < T ? min(T, m - first) : 0)",
    ),
    ("a", "uninitialised", "tiles are read behind their ends", "k < min(T, m - first)", "k < T"),
    ("a", "tail", "items behind the end count", "if (mine) atomic_max", "atomic_max"),
    (
        "a",
        "atomics",
        "a maximum without an atomic",
        "if (mine) atomic_max(&top, as_uint(near));",
        "if (mine && as_uint(near) > top) top = as_uint(near);",
    ),
    ("a", "uninitialised", "the maximum is not cleared", "    if (l == 0) top = 0u;\n", ""),
]
