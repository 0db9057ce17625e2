"""Accelerations of bodies by their masses, softened."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float4 *b, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float3 s = 0.0f;
    for (int j = 0; j < n; ++j) {
        const float3 d = b[j].xyz - b[i].xyz;
        const float q = dot(d, d) + 0.01f;
        s += d * (b[j].w / (q * sqrt(q)));
    }
    o[3 * i] = s.x; o[3 * i + 1] = s.y; o[3 * i + 2] = s.z;
}
"""
TILES = """
__kernel void k(__global const float4 *b, __global float *o, const int n) {
    __local float4 t[64];
    const int i = get_global_id(0), l = get_local_id(0);
    const float4 me = b[min(i, n - 1)];
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int base = 0; base < n; base += 64) {
        t[l] = base + l < n ? b[base + l] : (float4)(0.0f);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; ++j) {
            const float4 d = t[j] - me;
            const float q = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
            const float f = t[j].w / (q * sqrt(q));
            x += d.x * f; y += d.y * f; z += d.z * f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) { o[3 * i] = x; o[3 * i + 1] = y; o[3 * i + 2] = z; }
}
"""


@hl.kernel(
    problem=dict(n=400),
    work=lambda p: hl.Work(flops=20 * p.n * p.n, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=65)],
    tolerance=hl.Tolerance(terms=lambda p: 32, absolute=2e-4),
)
class nbody:
    def inputs(p, rng):
        b = rng.standard_normal((p.n, 4), "f4")
        b[:, 3] = rng.random(p.n, "f4")
        return dict(b=b, o=hl.empty((p.n, 3)), n=np.int32(p.n))

    def reference(p, b, o, n):
        w = b.astype("f8")
        d = w[None, :, :3] - w[:, None, :3]
        q = (d * d).sum(axis=2) + np.float64(np.float32(0.01))
        return dict(o=(d * (w[None, :, 3] / q**1.5)[:, :, None]).sum(axis=1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    tiles = hl.OpenCL(TILES, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "constant", "another softening", "+ 0.01f", "+ 0.001f"),
    ("plain", "power", "the square only", "q * sqrt(q)", "q"),
    ("plain", "sign", "forces that push", "b[j].xyz - b[i].xyz", "b[i].xyz - b[j].xyz"),
    ("plain", "index", "its own mass", "b[j].w", "b[i].w"),
    ("plain", "lost-tail", "the last body has no mass", "j < n;", "j < n - 1;"),
    ("tiles", "padding", "bodies beyond the end have mass", "(float4)(0.0f)", "(float4)(1.0f)"),
    (
        "tiles",
        "barrier",
        "no barrier before the next tile",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }",
        "        }\n    }",
    ),
    (
        "tiles",
        "precision",
        "reciprocals of 12 bits",
        "t[j].w / (q * sqrt(q))",
        "t[j].w * as_float(as_uint(1.0f / (q * sqrt(q))) & 0xfffff000u)",
    ),
    (
        "tiles",
        "bounds",
        "bodies are read beyond the end",
        "base + l < n ? b[base + l] : (float4)(0.0f)",
        "b[base + l] * (base + l < n ? 1.0f : 0.0f)",
    ),
]
