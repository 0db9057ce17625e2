"""A step of AdamW: weights and both moments in place, the decay apart from the gradient."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global float *w, __global float *m, __global float *v, __global const float *g, const int n, const float rate,
                const float beta1, const float beta2, const float eps, const float decay, const float fix1, const float fix2) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float x = g[i], v0 = v[i];
    const float a = beta1 * m[i] + (1.0f - beta1) * x;
    const float b = beta2 * v0 + (1.0f - beta2) * x * x;
    m[i] = a;
    v[i] = b;
    w[i] = w[i] * (1.0f - rate * decay) - rate * (a / fix1) / (sqrt(b / fix2) + eps);
}
"""
FOUR = """
float one(float w, float x, float *a, float *b, float rate, float beta1, float beta2, float eps, float decay, float fix1, float fix2) {
    *a = mix(x, *a, beta1);
    *b = mix(x * x, *b, beta2);
    return w - rate * (decay * w + *a / fix1 / (sqrt(*b / fix2) + eps));
}
__kernel void k(__global float *w, __global float *m, __global float *v, __global const float *g, const int n, const float rate,
                const float beta1, const float beta2, const float eps, const float decay, const float fix1, const float fix2) {
    const int first = 4 * get_global_id(0);
    for (int i = first; i < min(first + 4, n); ++i) {
        float a = m[i], b = v[i];
        w[i] = one(w[i], g[i], &a, &b, rate, beta1, beta2, eps, decay, fix1, fix2);
        m[i] = a;
        v[i] = b;
    }
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=14 * p.n, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=7), dict(n=1001)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1e-6),
    domain=dict(
        v="positive",
        beta1="range",
        beta2="range",
        fix1="range",
        fix2="range",
        eps="range",
        rate="range",
        decay="range",
        g="range",
        m="range",
        w="range",
    ),
)
class adamw:
    def inputs(p, rng):
        step = int(rng.integers(1, 50))
        return dict(
            w=rng.standard_normal(p.n, "f4"),
            m=0.1 * rng.standard_normal(p.n, "f4"),
            v=rng.random(p.n, "f4") + np.float32(0.01),
            g=rng.standard_normal(p.n, "f4"),
            n=np.int32(p.n),
            rate=np.float32(1e-3 * (1 + rng.random())),
            beta1=np.float32(0.9),
            beta2=np.float32(0.99),
            eps=np.float32(1e-3),
            decay=np.float32(0.1),
            fix1=np.float32(1 - 0.9**step),
            fix2=np.float32(1 - 0.99**step),
        )

    def reference(p, w, m, v, g, n, rate, beta1, beta2, eps, decay, fix1, fix2):
        w, m, v, g = (a.astype("f8") for a in (w, m, v, g))
        rate, beta1, beta2, eps, decay, fix1, fix2 = (float(a) for a in (rate, beta1, beta2, eps, decay, fix1, fix2))
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        return dict(w=w - rate * decay * w - rate * (m / fix1) / (np.sqrt(v / fix2) + eps), m=m, v=v)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    four = hl.OpenCL(FOUR, "k", global_size=lambda p, c: (-(-p.n // 4),))


MUTANTS = [
    ("plain", "scalar", "the decay is forgotten", "w[i] * (1.0f - rate * decay)", "w[i]"),
    ("plain", "order", "the old second moment under the root", "sqrt(b / fix2)", "sqrt(v0 / fix2)"),
    ("plain", "scalar", "eps inside the root", "(sqrt(b / fix2) + eps)", "sqrt(b / fix2 + eps)"),
    ("plain", "scalar", "no correction of the first moment", "(a / fix1)", "a"),
    ("four", "tail", "the last, incomplete four are left", "i < min(first + 4, n)", "first + 4 <= n && i < first + 4"),
    ("four", "scalar", "both moments fade alike", "mix(x * x, *b, beta2)", "mix(x * x, *b, beta1)"),
    ("four", "stale-output", "the second moment is not stored", "        v[i] = b;\n", ""),
]
