"""A step of the Lion optimizer: the sign of a blend of momentum and gradient, with decoupled weight decay."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void lion(__global float *w, __global const float *g, __global float *m, const int n, const float lr, const float beta1,
                   const float beta2, const float decay) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        const float c = beta1 * m[i] + (1.0f - beta1) * g[i];
        const float s = c > 0.0f ? 1.0f : c < 0.0f ? -1.0f : 0.0f;
        w[i] -= lr * (s + decay * w[i]);
        m[i] = beta2 * m[i] + (1.0f - beta2) * g[i];
    }
}
"""


@hl.kernel(
    problem=dict(n=50000),
    work=lambda p: hl.Work(flops=11 * p.n, bytes=20 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=1023), dict(n=4097)],
    tolerance=hl.Tolerance(terms=8, absolute=1e-6),
)
class lion:
    def inputs(p, rng):
        return dict(
            w=rng.standard_normal(p.n, "f4"),
            g=rng.standard_normal(p.n, "f4"),
            m=0.1 * rng.standard_normal(p.n, "f4"),
            n=np.int32(p.n),
            lr=np.float32(1e-2),
            beta1=np.float32(0.9),
            beta2=np.float32(0.99),
            decay=np.float32(0.1),
        )

    def reference(p, w, g, m, n, lr, beta1, beta2, decay):
        w, g, m = w.astype("f8"), g.astype("f8"), m.astype("f8")
        lr, beta1, beta2, decay = map(float, (lr, beta1, beta2, decay))
        return dict(w=w - lr * (np.sign(beta1 * m + (1 - beta1) * g) + decay * w), m=beta2 * m + (1 - beta2) * g)

    plain = hl.OpenCL(SOURCE, "lion", global_size=lambda p, c: (2048,))


MUTANTS = [
    (
        "plain",
        "scalar",
        "the second beta for both",
        "const float c = beta1 * m[i] + (1.0f - beta1) * g[i];",
        "const float c = beta2 * m[i] + (1.0f - beta2) * g[i];",
    ),
    (
        "plain",
        "scalar",
        "decay is not scaled by the rate",
        "w[i] -= lr * (s + decay * w[i]);",
        "w[i] -= lr * s + decay * w[i] * 0.0100001f;",
    ),
    (
        "plain",
        "sign",
        "zero counts as positive",
        "c > 0.0f ? 1.0f : c < 0.0f ? -1.0f : 0.0f",
        "c >= 0.0f ? 1.0f : -1.0f",
    ),
    (
        "plain",
        "order",
        "momentum is updated before it decides",
        "        const float c = beta1",
        "        m[i] = beta2 * m[i] + (1.0f - beta2) * g[i] * (1.0f - beta2) / (1.0f - beta2 * beta2);\n        const float c = beta1",
    ),
    ("plain", "lost-tail", "the last number is not updated", "i < n; i", "i < n - (n > 1); i"),
    (
        "plain",
        "type",
        "momentum is kept in half",
        "m[i] = beta2 * m[i] + (1.0f - beta2) * g[i];",
        "vstore_half(beta2 * m[i] + (1.0f - beta2) * g[i], 0, (__global half *)&m[i]); m[i] = vload_half(0, (__global half *)&m[i]);",
    ),
]
