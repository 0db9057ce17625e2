"""Points of three floats scaled to length one, with vector loads."""

import numpy as np

import hotloop as hl

A = """
__kernel void unit3(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float3 v = vload3(i, x);
    vstore3(v / sqrt(dot(v, v) + 1e-6f), i, y);
}
"""
B = """
__kernel void unit3(__global const float *x, __global float *y, const int n) {
    const int g = get_global_id(0), i = 4 * g;
    if (i >= n) return;
    if (i + 4 <= n) {
        const float4 a = vload4(3 * g, x), b = vload4(3 * g + 1, x), c = vload4(3 * g + 2, x);
        const float4 q = (float4)(dot(a.xyz, a.xyz), a.w * a.w + b.x * b.x + b.y * b.y, b.z * b.z + b.w * b.w + c.x * c.x, dot(c.yzw, c.yzw));
        const float4 s = 1.0f / sqrt(q + 1e-6f);
        vstore4(a * s.xxxy, 3 * g, y); vstore4(b * s.yyzz, 3 * g + 1, y); vstore4(c * s.zwww, 3 * g + 2, y);
    } else
        for (int k = i; k < n; ++k) { const float3 v = vload3(k, x); vstore3(v / sqrt(dot(v, v) + 1e-6f), k, y); }
}
"""


@hl.kernel(
    problem=dict(n=2000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=7), dict(n=333)],
    tolerance=hl.Tolerance(terms=16),
)
class unit3:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.n, 3), "f4"), y=hl.empty((p.n, 3)), n=p.n)

    def reference(p, x, y, n):
        v = x.astype("f8")
        return dict(y=v / np.sqrt((v * v).sum(1, keepdims=True) + 1e-6))

    a = hl.OpenCL(A, "unit3", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "unit3", global_size=lambda p, c: (-(-p.n // 4),))


MUTANTS = [
    (
        "a",
        "alignment",
        "points are read as aligned vectors of four",
        "vload3(i, x)",
        "(*(__global const float4 *)(x + 3 * i)).xyz",
    ),
    ("a", "bounds", "points are read as four", "vload3(i, x)", "vload4(0, x + 3 * i).xyz"),
    (
        "a",
        "overrun",
        "four are stored",
        "vstore3(v / sqrt(dot(v, v) + 1e-6f), i, y);",
        "vstore4((float4)(v / sqrt(dot(v, v) + 1e-6f), 0.0f), 0, y + 3 * i);",
    ),
    ("b", "bounds", "the last points are read as whole vectors", "i + 4 <= n", "i + 3 <= n"),
    ("b", "lane", "a square of another lane", "b.z * b.z + b.w * b.w + c.x * c.x", "b.z * b.z + b.w * b.w + c.y * c.y"),
]
