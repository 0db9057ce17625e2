"""Vectors turned by unit quaternions."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const float4 *q, __global const float *v, __global float *o, const int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    float4 r = q[i];
    float x = v[3 * i], y = v[3 * i + 1], z = v[3 * i + 2];
    float tx = 2 * (r.y * z - r.z * y), ty = 2 * (r.z * x - r.x * z), tz = 2 * (r.x * y - r.y * x);
    o[3 * i] = x + r.w * tx + (r.y * tz - r.z * ty);
    o[3 * i + 1] = y + r.w * ty + (r.z * tx - r.x * tz);
    o[3 * i + 2] = z + r.w * tz + (r.x * ty - r.y * tx);
}
"""
B = """
__kernel void k(__global const float4 *q, __global const float *v, __global float *o, const int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    float4 r = q[i];
    float3 a = vload3(i, v), u = r.xyz, c = cross(u, a);
    vstore3(2 * dot(u, a) * u + (r.w * r.w - dot(u, u)) * a + 2 * r.w * c, i, o);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=30 * p.n, bytes=40 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(q="fixed"),
    tolerance=hl.Tolerance(terms=lambda p: 16.0),
)
class quatrot:
    def inputs(p, rng):
        q = rng.standard_normal((p.n, 4))
        q /= np.linalg.norm(q, axis=1, keepdims=True)
        return dict(q=q.astype("f4"), v=rng.standard_normal((p.n, 3), dtype="f4"), o=hl.empty((p.n, 3)), n=p.n)

    def reference(p, q, v, o, n):
        u, w, a = q[:, :3].astype("f8"), q[:, 3:].astype("f8"), v.astype("f8")
        t = 2 * np.cross(u, a)
        return dict(o=a + w * t + np.cross(u, t))

    def magnitude(p, q, v, o, n):
        return dict(o=np.broadcast_to(4 * np.linalg.norm(v.astype("f8"), axis=1, keepdims=True), (p.n, 3)))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "sign", "turned the other way about one axis", "r.z * x - r.x * z", "r.x * z - r.z * x"),
    ("a", "constant", "the factor two is lost once", "tz = 2 *", "tz ="),
    ("a", "swap", "x for y", "(r.x * ty - r.y * tx)", "(r.y * ty - r.x * tx)"),
    ("a", "index", "the third component of the one before", "z = v[3 * i + 2]", "z = v[3 * i - (i > 0)]"),
    ("b", "sign", "the square is added", "r.w * r.w - dot(u, u)", "r.w * r.w + dot(u, u)"),
    ("b", "order", "the cross product the other way", "cross(u, a)", "cross(a, u)"),
    ("b", "scalar", "w stands nowhere", "2 * r.w * c", "2 * c"),
]
