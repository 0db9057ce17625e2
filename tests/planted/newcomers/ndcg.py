"""Normalised discounted cumulative gain of the first k, of grades 0 to 4 ranked by score; equal scores keep their order."""

import numpy as np

import hotloop as hl

SOURCE = """
#define G 32
__kernel void ndcg(__global const float *score, __global const int *grade, __global float *out, const int m, const int k) {
    __local float gain[G], best[G];
    const int q = get_group_id(0), l = get_local_id(0);
    __global const float *s = score + q * m;
    __global const int *g = grade + q * m;
    float a = 0.0f, b = 0.0f;
    for (int i = l; i < m; i += G) {
        int place = 0, ideal = 0;
        for (int j = 0; j < m; ++j) {
            place += s[j] > s[i] || (s[j] == s[i] && j < i);
            ideal += g[j] > g[i] || (g[j] == g[i] && j < i);
        }
        const float value = (1 << g[i]) - 1;
        if (place < k) a += value / log2(place + 2.0f);
        if (ideal < k) b += value / log2(ideal + 2.0f);
    }
    gain[l] = a;
    best[l] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = G / 2; h > 0; h >>= 1) {
        if (l < h) {
            gain[l] += gain[l + h];
            best[l] += best[l + h];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[q] = best[0] > 0.0f ? gain[0] / best[0] : 0.0f;
}
"""


@hl.kernel(
    problem=dict(queries=60, m=100, k=10),
    work=lambda p: hl.Work(flops=6 * p.queries * p.m**2, bytes=8 * p.queries * p.m),
    awkward=lambda p: [dict(queries=1, m=1, k=10), dict(queries=5, m=33, k=10), dict(queries=70, m=7, k=3)],
    tolerance=hl.Tolerance(terms=32, absolute=1e-6),
)
class ndcg:
    def inputs(p, rng):
        return dict(
            score=rng.random((p.queries, p.m), "f4").round(2),
            grade=rng.choice(5, (p.queries, p.m), p=[0.6, 0.2, 0.1, 0.06, 0.04]).astype("i4"),
            out=hl.empty(p.queries),
            m=np.int32(p.m),
            k=np.int32(p.k),
        )

    def reference(p, score, grade, out, m, k):
        discount = 1 / np.log2(np.arange(p.m) + 2.0)
        discount[p.k :] = 0
        ranked = np.take_along_axis(grade, np.argsort(-score, axis=1, kind="stable"), axis=1)
        ideal = -np.sort(-grade, axis=1)
        gained, best = ((2.0**ranked - 1) * discount).sum(axis=1), ((2.0**ideal - 1) * discount).sum(axis=1)
        return dict(out=np.where(best > 0, gained / np.where(best > 0, best, 1), 0))

    grouped = hl.OpenCL(SOURCE, "ndcg", global_size=lambda p, c: (p.queries * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("grouped", "tie", "equal scores in the other order", "(s[j] == s[i] && j < i)", "(s[j] == s[i] && j > i)"),
    (
        "grouped",
        "barrier",
        "no barrier in the sum",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    if",
        "        }\n    }\n    if",
    ),
    ("grouped", "limit", "one place more than k", "if (place < k)", "if (place <= k)"),
    ("grouped", "scalar", "the ideal of ten", "if (ideal < k)", "if (ideal < 10)"),
    ("grouped", "limit", "queries without any gain", "best[0] > 0.0f ? gain[0] / best[0] : 0.0f", "gain[0] / best[0]"),
    (
        "grouped",
        "formula",
        "grades count as they are",
        "(1 << g[i]) - 1;",
        "g[i] < 2 ? g[i] : (1 << g[i]) - (g[i] < 4);",
    ),
]
