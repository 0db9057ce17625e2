"""Batch normalisation in training: a group for each channel, running statistics with the unbiased variance."""

import numpy as np

import hotloop as hl

SOURCE = """
#define G 64
float total(__local float *s, float v) {
    const int l = get_local_id(0);
    s[l] = v;
    for (int h = G / 2; h > 0; h /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < h) s[l] += s[l + h];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float r = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
__kernel void bn(__global const float *x, __global const float *gamma, __global const float *beta, __global float *mean_r,
                 __global float *var_r, __global float *y, const int n, const int c, const int hw, const float momentum, const float eps) {
    __local float s[G];
    const int ch = get_group_id(0), l = get_local_id(0), count = n * hw;
    float a = 0.0f;
    for (int i = l; i < count; i += G) a += x[((i / hw) * c + ch) * hw + i % hw];
    const float mean = total(s, a) / count;
    a = 0.0f;
    for (int i = l; i < count; i += G) {
        const float d = x[((i / hw) * c + ch) * hw + i % hw] - mean;
        a += d * d;
    }
    const float square = total(s, a), scale = gamma[ch] / sqrt(square / count + eps);
    for (int i = l; i < count; i += G) {
        const int at = ((i / hw) * c + ch) * hw + i % hw;
        y[at] = (x[at] - mean) * scale + beta[ch];
    }
    if (l == 0) {
        mean_r[ch] += momentum * (mean - mean_r[ch]);
        var_r[ch] += momentum * (square / max(count - 1, 1) - var_r[ch]);
    }
}
"""


@hl.kernel(
    problem=dict(n=8, c=12, hw=100),
    work=lambda p: hl.Work(flops=8 * p.n * p.c * p.hw, bytes=8 * p.n * p.c * p.hw),
    awkward=lambda p: [dict(n=2, c=1, hw=1), dict(n=3, c=5, hw=7), dict(n=1, c=2, hw=65)],
    tolerance=hl.Tolerance(terms=lambda p: 16 + p.n * p.hw // 64, absolute=2e-5),
)
class batchnorm:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.n, p.c, p.hw), "f4") * 2 + 1,
            gamma=rng.uniform(0.5, 1.5, p.c).astype("f4"),
            beta=rng.standard_normal(p.c, "f4"),
            mean_r=rng.standard_normal(p.c, "f4"),
            var_r=rng.uniform(0.5, 2, p.c).astype("f4"),
            y=hl.empty((p.n, p.c, p.hw)),
            n=np.int32(p.n),
            c=np.int32(p.c),
            hw=np.int32(p.hw),
            momentum=0.1,
            eps=1e-5,
        )

    def reference(p, x, gamma, beta, mean_r, var_r, y, n, c, hw, momentum, eps):
        x = x.astype("f8")
        mean, var = x.mean(axis=(0, 2)), x.var(axis=(0, 2))
        count = p.n * p.hw
        out = (x - mean[:, None]) / np.sqrt(var + float(eps))[:, None] * gamma.astype("f8")[:, None] + beta[:, None]
        unbiased = var * count / max(count - 1, 1)
        m = float(momentum)
        return dict(y=out, mean_r=(1 - m) * mean_r + m * mean, var_r=(1 - m) * var_r + m * unbiased)

    grouped = hl.OpenCL(SOURCE, "bn", global_size=lambda p, c: (p.c * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("grouped", "formula", "running variance is the biased one", "square / max(count - 1, 1)", "square / count"),
    (
        "grouped",
        "barrier",
        "the next sum may overwrite what is read",
        "    const float r = s[0];\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "    const float r = s[0];",
    ),
    (
        "grouped",
        "barrier",
        "the total is read early",
        "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    const float r",
        "    }\n    const float r",
    ),
    ("grouped", "scalar", "the momentum is a constant", "momentum * (square", "0.1f * (square"),
    ("grouped", "formula", "epsilon outside the root", "sqrt(square / count + eps)", "(sqrt(square / count) + eps)"),
    (
        "grouped",
        "index",
        "channels of other images",
        "y[at] = (x[at] - mean) * scale + beta[ch];",
        "y[at] = (x[at] - mean) * scale + beta[min(ch, 8)];",
    ),
]
