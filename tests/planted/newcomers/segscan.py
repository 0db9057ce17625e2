"""Running sums that begin anew at flags, by one group."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const float *x, __global const uchar *f, __global float *y, const int n) {
    __local float s[256];
    __local uchar g[256];
    const int l = get_local_id(0);
    float carry = 0.0f;
    for (int base = 0; base < n; base += 256) {
        const int i = base + l;
        s[l] = i < n ? x[i] : 0.0f;
        g[l] = i < n ? f[i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 256; d *= 2) {
            const float v = l >= d && !g[l] ? s[l - d] : 0.0f;
            const uchar w = l >= d ? g[l - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] += v;
            g[l] |= w;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (!g[l]) s[l] += carry;
        if (i < n) y[i] = s[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        carry = s[255];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=p.n, bytes=9 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=255), dict(n=257), dict(n=777)],
    tolerance=hl.Tolerance(terms=lambda p: p.n, absolute=1e-4),
    domain=dict(f="range"),
)
class segscan:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal(p.n, "f4"), f=(rng.random(p.n) < 0.02).astype("u1"), y=hl.empty(p.n), n=np.int32(p.n)
        )

    def reference(p, x, f, y, n):
        X, out, s = x.astype("f8"), np.zeros(p.n), 0.0
        for i in range(p.n):
            s = X[i] if f[i] else s + X[i]
            out[i] = s
        return dict(y=out)

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (256,), local_size=lambda p, c: (256,))


MUTANTS = [
    ("plain", "carry", "the carry is not added", "if (!g[l]) s[l] += carry;", ""),
    ("plain", "carry2", "the carry passes a flag", "if (!g[l]) s[l] += carry;", "if (!g[0]) s[l] += carry;"),
    ("plain", "flags", "flags are not spread", "g[l] |= w;", ""),
    ("plain", "steps", "the last step is missing", "d < 256", "d < 128"),
    (
        "plain",
        "barrier",
        "no barrier before adding",
        "const uchar w = l >= d ? g[l - d] : 0;\n            barrier(CLK_LOCAL_MEM_FENCE);",
        "const uchar w = l >= d ? g[l - d] : 0;",
    ),
]
