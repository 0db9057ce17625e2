"""Index and squared distance of the nearest of some centres, in four dimensions."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void nearest(__global const float4 *x, __global const float4 *c, __global int *at, __global float *d, const int n, const int k) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float least = INFINITY;
    int best = 0;
    for (int j = 0; j < k; ++j) {
        const float4 e = x[i] - c[j];
        const float s = dot(e, e);
        if (s < least) { least = s; best = j; }
    }
    at[i] = best;
    d[i] = least;
}
"""
LOCAL = """
__kernel void nearest(__global const float4 *x, __global const float4 *c, __global int *at, __global float *d, const int n, const int k) {
    __local float4 part[16];
    const int i = get_global_id(0), t = get_local_id(0);
    const float4 v = x[min(i, n - 1)];
    float least = INFINITY;
    int best = 0;
    for (int base = 0; base < k; base += 16) {
        if (t < 16 && base + t < k) part[t] = c[base + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < min(16, k - base); ++j) {
            const float4 e = v - part[j];
            const float s = e.x * e.x + e.y * e.y + e.z * e.z + e.w * e.w;
            if (s < least) { least = s; best = base + j; }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) { at[i] = best; d[i] = least; }
}
"""


@hl.kernel(
    problem=dict(n=3000, k=40),
    work=lambda p: hl.Work(flops=11 * p.n * p.k, bytes=24 * p.n),
    awkward=lambda p: [dict(n=1, k=1), dict(n=65, k=17), dict(n=100, k=16)],
    tolerance=hl.Tolerance(terms=lambda p: 8, absolute=1e-6),
)
class nearest:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.n, 4), "f4"), c=rng.standard_normal((p.k, 4), "f4"), at=hl.empty(p.n, "int32"),
            d=hl.empty(p.n), n=np.int32(p.n), k=np.int32(p.k),
        )  # fmt: skip

    def reference(p, x, c, at, d, n, k):
        s = ((x[:, None].astype("f8") - c[None].astype("f8")) ** 2).sum(axis=2)
        return dict(at=s.argmin(axis=1), d=s.min(axis=1))

    plain = hl.OpenCL(PLAIN, "nearest", global_size=lambda p, c: (p.n,))
    local = hl.OpenCL(LOCAL, "nearest", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "ties", "the last of equal centres", "s < least", "s <= least"),
    (
        "plain",
        "expanded",
        "squares minus products, which cancel",
        "dot(e, e)",
        "fmax(dot(x[i], x[i]) - 2 * dot(x[i], c[j]) + dot(c[j], c[j]), 0.0f) + 0 * e.x",
    ),
    ("plain", "start", "nothing is farther than 10", "float least = INFINITY", "float least = 10.0f"),
    ("local", "part", "a partial block of centres is left out", "base < k;", "base + 15 < k;"),
    ("local", "index", "the index within the block", "best = base + j", "best = j"),
    (
        "local",
        "barrier",
        "no barrier before the next block",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }",
        "        }\n    }",
    ),
]
