"""American puts by binomial trees of 64 steps, a group for each option."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void tree(__global const float *spot, __global const float *strike, __global float *price, const float up, const float p, const float df) {
    const int o = get_group_id(0), l = get_local_id(0);
    __local float v[65];
    const float s = spot[o], k = strike[o];
    v[l] = fmax(k - s * pown(up, 2 * l - 64), 0.0f);
    if (l == 0) v[64] = fmax(k - s * pown(up, 64), 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 63; t >= 0; --t) {
        float w = 0.0f;
        if (l <= t) w = fmax(df * (p * v[l + 1] + (1.0f - p) * v[l]), k - s * pown(up, 2 * l - t));
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l <= t) v[l] = w;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) price[o] = v[0];
}
"""


@hl.kernel(
    problem=dict(n=100),
    work=lambda p: hl.Work(flops=10000 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=7)],
    tolerance=hl.Tolerance(terms=600, absolute=1e-4),
    domain=dict(spot="range", strike="range", up="fixed", p="fixed", df="fixed"),
)
class tree:
    def inputs(p, rng):
        return dict(
            spot=rng.uniform(20, 180, p.n).astype("f4"),
            strike=rng.uniform(50, 150, p.n).astype("f4"),
            price=hl.empty(p.n),
            up=np.float32(1.03),
            p=np.float32(0.51),
            df=np.float32(0.9995),
        )

    def reference(q, spot, strike, price, up, p, df):
        up, p, df = float(up), float(p), float(df)
        s, k = spot.astype("f8")[:, None], strike.astype("f8")[:, None]
        v = np.maximum(k - s * up ** (2.0 * np.arange(65) - 64), 0)
        for t in range(63, -1, -1):
            v = np.maximum(df * (p * v[:, 1:] + (1 - p) * v[:, :-1]), k - s * up ** (2.0 * np.arange(t + 1) - t))
        return dict(price=v[:, 0])

    a = hl.OpenCL(A, "tree", global_size=lambda p, c: (64 * p.n,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier before what was read is overwritten",
        "k - s * pown(up, 2 * l - t));\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "k - s * pown(up, 2 * l - t));",
    ),
    ("a", "barrier", "no barrier between steps", "v[l] = w;\n        barrier(CLK_LOCAL_MEM_FENCE);", "v[l] = w;"),
    (
        "a",
        "early",
        "no early exercise",
        ", k - s * pown(up, 2 * l - t));\n        barrier",
        ", 0.0f);\n        barrier",
    ),
    ("a", "edge", "the last leaf is not set", "if (l == 0) v[64] =", "if (l == 99) v[64] ="),
    ("a", "steps", "the last step is left out", "t >= 0; --t", "t >= 1; --t"),
]
