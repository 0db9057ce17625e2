"""Sum of two matrix-vector products, scaled."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *a, __global const float *b, __global const float *x, __global float *y, const float alpha, const float beta, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float s = 0.0f, t = 0.0f;
    for (int j = 0; j < n; ++j) {
        s += a[i * n + j] * x[j];
        t += b[i * n + j] * x[j];
    }
    y[i] = alpha * s + beta * t;
}
"""
LOCAL = """
__kernel void k(__global const float *a, __global const float *b, __global const float *x, __global float *y, const float alpha, const float beta, const int n) {
    __local float part[64];
    const int i = get_global_id(0), l = get_local_id(0);
    float s = 0.0f, t = 0.0f;
    for (int base = 0; base < n; base += 64) {
        part[l] = base + l < n ? x[base + l] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; i < n && j < min(64, n - base); ++j) {
            s = fma(a[i * n + base + j], part[j], s);
            t = fma(b[i * n + base + j], part[j], t);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) y[i] = fma(alpha, s, beta * t);
}
"""


@hl.kernel(
    problem=dict(n=300),
    work=lambda p: hl.Work(flops=4 * p.n * p.n, bytes=8 * p.n * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=128)],
    tolerance=hl.Tolerance(terms=lambda p: 2 * p.n, absolute=1e-4),
)
class gesummv:
    def inputs(p, rng):
        g = rng.standard_normal
        return dict(
            a=g((p.n, p.n), "f4"),
            b=g((p.n, p.n), "f4"),
            x=g(p.n, "f4"),
            y=hl.empty(p.n),
            alpha=np.float32(1.5),
            beta=np.float32(-0.75),
            n=np.int32(p.n),
        )

    def reference(p, a, b, x, y, alpha, beta, n):
        a, b, x = (v.astype("f8") for v in (a, b, x))
        return dict(y=float(alpha) * (a @ x) + float(beta) * (b @ x))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    local = hl.OpenCL(LOCAL, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "scalar", "alpha is dropped", "alpha * s", "s"),
    ("plain", "scalar", "beta is written as a constant", "beta * t", "-0.75f * t"),
    ("plain", "index", "the second matrix transposed", "b[i * n + j]", "b[j * n + i]"),
    ("plain", "lost-tail", "the last column is left out", "j < n;", "j < n - 1;"),
    (
        "local",
        "barrier",
        "no barrier after the vector is loaded",
        "x[base + l] : 0.0f;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "x[base + l] : 0.0f;",
    ),
    (
        "local",
        "barrier",
        "no barrier before the next part",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }",
        "        }\n    }",
    ),
    ("local", "bounds", "the vector is read beyond its end", "base + l < n ? x[base + l] : 0.0f", "x[base + l]"),
    ("local", "lost-tail", "the last part is left out", "base < n;", "base + 63 < n;"),
]
