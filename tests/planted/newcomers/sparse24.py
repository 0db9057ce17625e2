"""Of every four values the two largest by magnitude, and where they stood: 2:4 sparsity."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *v, __global uchar *at, const int groups) {
    const int g = get_global_id(0);
    if (g >= groups) return;
    int a = 0, b = -1;
    for (int j = 1; j < 4; ++j)
        if (fabs(x[4 * g + j]) > fabs(x[4 * g + a])) a = j;
    for (int j = 0; j < 4; ++j) {
        if (j == a) continue;
        if (b < 0 || fabs(x[4 * g + j]) > fabs(x[4 * g + b])) b = j;
    }
    const int low = min(a, b), high = max(a, b);
    v[2 * g] = x[4 * g + low];
    v[2 * g + 1] = x[4 * g + high];
    at[g] = (uchar)(low | high << 2);
}
"""
RANKS = """
__kernel void k(__global const float4 *x, __global float2 *v, __global uchar *at, const int groups) {
    const int g = get_global_id(0);
    if (g >= groups) return;
    const float4 q = x[g], m = fabs(q);
    const int r0 = (m.y > m.x) + (m.z > m.x) + (m.w > m.x);
    const int r1 = (m.x >= m.y) + (m.z > m.y) + (m.w > m.y);
    const int r2 = (m.x >= m.z) + (m.y >= m.z) + (m.w > m.z);
    const int low = r0 < 2 ? 0 : r1 < 2 ? 1 : 2;
    const int high = low == 2 ? 3 : (low == 0 && r1 < 2) ? 1 : r2 < 2 ? 2 : 3;
    const float s[4] = {q.x, q.y, q.z, q.w};
    v[g] = (float2)(s[low], s[high]);
    at[g] = (uchar)(low | high << 2);
}
"""


@hl.kernel(
    problem=dict(groups=5000),
    work=lambda p: hl.Work(flops=6 * p.groups, bytes=25 * p.groups),
    awkward=lambda p: [dict(groups=1), dict(groups=63), dict(groups=257)],
    domain=dict(x="finite"),
)
class sparse24:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal(4 * p.groups, "f4"),
            v=hl.empty(2 * p.groups),
            at=hl.empty(p.groups, "u1"),
            groups=np.int32(p.groups),
        )

    def reference(p, x, v, at, groups):
        rows = x.reshape(-1, 4)
        kept = np.sort(np.argsort(-np.abs(rows), axis=1, kind="stable")[:, :2], axis=1)
        return dict(v=np.take_along_axis(rows, kept, 1).ravel(), at=(kept[:, 0] | kept[:, 1] << 2).astype("i8"))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.groups,))
    ranks = hl.OpenCL(RANKS, "k", global_size=lambda p, c: (p.groups,))


MUTANTS = [
    ("plain", "ties", "the last of equal ones", "> fabs(x[4 * g + a])) a = j", ">= fabs(x[4 * g + a])) a = j"),
    (
        "plain",
        "sign",
        "the largest instead of the largest magnitude",
        "if (fabs(x[4 * g + j]) > fabs(x[4 * g + a])) a",
        "if (x[4 * g + j] > x[4 * g + a]) a",
    ),
    (
        "plain",
        "order",
        "places in order of size",
        "const int low = min(a, b), high = max(a, b)",
        "const int low = a, high = b",
    ),
    ("plain", "bits", "the second place one bit too low", "low | high << 2", "low | high << 1"),
    ("ranks", "ties", "equal ones have equal ranks", "(m.x >= m.z)", "(m.x > m.z)"),
    ("ranks", "case", "first and last are forgotten", ": r2 < 2 ? 2 : 3;", ": 2;"),
]
