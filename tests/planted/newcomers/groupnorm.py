"""Group normalization: channels in groups, a mean and a variance for each group of each picture, a weight and a bias a channel."""

import numpy as np

import hotloop as hl

GROUP = """
#define W 64
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global const float *x, __global const float *gain, __global const float *bias, __global float *y,
                const int groups, const int each, const int pixels, const float eps) {
    __local float part[W];
    const int l = get_local_id(0), g = get_group_id(0), count = each * pixels;
    const int c0 = g % groups * each;
    __global const float *from = x + g * count;
    float sum = 0;
    for (int j = l; j < count; j += W) sum += from[j];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = W / 2; s > 0; s >>= 1) { if (l < s) part[l] += part[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
    const float mean = part[0] / count;
    barrier(CLK_LOCAL_MEM_FENCE);
    float square = 0;
    for (int j = l; j < count; j += W) square += (from[j] - mean) * (from[j] - mean);
    part[l] = square;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = W / 2; s > 0; s >>= 1) { if (l < s) part[l] += part[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }
    const float scale = rsqrt(part[0] / count + eps);
    for (int j = l; j < count; j += W) y[g * count + j] = (from[j] - mean) * scale * gain[c0 + j / pixels] + bias[c0 + j / pixels];
}
"""


@hl.kernel(
    problem=dict(batch=3, groups=4, each=8, pixels=100),
    work=lambda p: hl.Work(
        flops=8 * p.batch * p.groups * p.each * p.pixels, bytes=8 * p.batch * p.groups * p.each * p.pixels
    ),
    awkward=lambda p: [
        dict(batch=1, groups=1, each=1, pixels=2),
        dict(batch=2, groups=3, each=5, pixels=7),
        dict(batch=1, groups=2, each=1, pixels=65),
    ],
    tolerance=hl.Tolerance(terms=lambda p: p.each * p.pixels, absolute=1e-5),
    domain=dict(eps="range"),
)
class groupnorm:
    def inputs(p, rng):
        c = p.groups * p.each
        return dict(
            x=rng.standard_normal((p.batch, c, p.pixels), "f4") + np.float32(0.5),
            gain=rng.standard_normal(c, "f4"),
            bias=rng.standard_normal(c, "f4"),
            y=hl.empty((p.batch, c, p.pixels)),
            groups=np.int32(p.groups),
            each=np.int32(p.each),
            pixels=np.int32(p.pixels),
            eps=np.float32(1e-5),
        )

    def reference(p, x, gain, bias, y, groups, each, pixels, eps):
        v = x.astype("f8").reshape(p.batch, p.groups, -1)
        v = (v - v.mean(2, keepdims=True)) / np.sqrt(v.var(2, keepdims=True) + float(eps))
        return dict(y=v.reshape(x.shape) * gain.astype("f8")[:, None] + bias.astype("f8")[:, None])

    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (64 * p.batch * p.groups,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("group", "index", "the gains of the first group for all", "gain[c0 + j / pixels]", "gain[j / pixels]"),
    (
        "group",
        "barrier",
        "the mean is not read before sums are replaced",
        "    const float mean = part[0] / count;\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
        "    const float mean = part[0] / count;\n",
    ),
    (
        "group",
        "precision",
        "the variance is the difference of two large numbers",
        "(from[j] - mean) * (from[j] - mean);\n    part[l] = square;",
        "from[j] * from[j] - mean * mean;\n    part[l] = square;",
    ),
    ("group", "epsilon", "eps is missing", "part[0] / count + eps", "part[0] / count"),
    (
        "group",
        "scalar",
        "the variance of a sample",
        "rsqrt(part[0] / count + eps)",
        "rsqrt(part[0] / max(count - 1, 1) + eps)",
    ),
    (
        "group",
        "reduction",
        "the last step of the sum is missing",
        "s > 0; s >>= 1) { if (l < s) part[l] += part[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }\n    const float mean",
        "s > 1; s >>= 1) { if (l < s) part[l] += part[l + s]; barrier(CLK_LOCAL_MEM_FENCE); }\n    const float mean",
    ),
]
