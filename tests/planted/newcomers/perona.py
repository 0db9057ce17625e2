"""A step of anisotropic diffusion of an image; the border is repeated."""

import numpy as np

import hotloop as hl

SOURCE = """
float flow(const float d, const float inverse) {
    return d * exp(-(d * inverse) * (d * inverse));
}
__kernel void diffuse(__global const float *a, __global float *o, const int h, const int w, const float edge, const float rate) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const float c = a[y * w + x], inverse = 1.0f / edge;
    float sum = 0.0f;
    if (y > 0) sum += flow(a[(y - 1) * w + x] - c, inverse);
    if (y < h - 1) sum += flow(a[(y + 1) * w + x] - c, inverse);
    if (x > 0) sum += flow(a[y * w + x - 1] - c, inverse);
    if (x < w - 1) sum += flow(a[y * w + x + 1] - c, inverse);
    o[y * w + x] = c + rate * sum;
}
"""


@hl.kernel(
    problem=dict(h=80, w=90),
    work=lambda p: hl.Work(flops=30 * p.h * p.w, bytes=8 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=3, w=65), dict(h=33, w=2)],
    tolerance=hl.Tolerance(terms=16, absolute=1e-4),
)
class perona:
    def inputs(p, rng):
        return dict(
            a=rng.uniform(0, 255, (p.h, p.w)).astype("f4"),
            o=hl.empty((p.h, p.w)),
            h=np.int32(p.h),
            w=np.int32(p.w),
            edge=np.float32(30),
            rate=np.float32(0.2),
        )

    def reference(p, a, o, h, w, edge, rate):
        a = a.astype("f8")
        b = np.pad(a, 1, mode="edge")
        total = np.zeros_like(a)
        for near in (b[:-2, 1:-1], b[2:, 1:-1], b[1:-1, :-2], b[1:-1, 2:]):
            d = near - a
            total += d * np.exp(-((d / float(edge)) ** 2))
        return dict(o=a + float(rate) * total)

    plain = hl.OpenCL(SOURCE, "diffuse", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("plain", "boundary", "the last column has no left neighbour", "if (x > 0) sum", "if (x > 0 && x < w - 1) sum"),
    (
        "plain",
        "boundary",
        "the row below the last",
        "if (y < h - 1) sum += flow(a[(y + 1) * w + x] - c",
        "if (y < h - 1 || h == 1) sum += flow(a[((y + 1) % h) * w + (h == 1 ? w - 1 - x : x)] - c",
    ),
    (
        "plain",
        "formula",
        "the difference counts once in the exponent",
        "exp(-(d * inverse) * (d * inverse))",
        "exp(-fabs(d * inverse))",
    ),
    ("plain", "scalar", "an edge of thirty", "inverse = 1.0f / edge", "inverse = 1.0f / 30.0f"),
    (
        "plain",
        "type",
        "differences in half",
        "return d * exp",
        "half q; vstore_half(d, 0, &q); return vload_half(0, &q) * exp",
    ),
    ("plain", "scalar", "the rate is a quarter", "c + rate * sum", "c + (rate + 0.00005f) * sum"),
]
