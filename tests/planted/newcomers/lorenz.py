"""Ten steps of Runge and Kutta's fourth order for Lorenz's equations, many starts."""

import numpy as np

import hotloop as hl

A = """
float3 slope(float3 v, float s, float r, float b) { return (float3)(s * (v.y - v.x), v.x * (r - v.z) - v.y, v.x * v.y - b * v.z); }
__kernel void march(__global const float *v, __global float *o, const int n, const float h, const float s, const float r, const float b) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float3 x = vload3(i, v);
    for (int t = 0; t < 10; ++t) {
        const float3 k1 = slope(x, s, r, b), k2 = slope(x + 0.5f * h * k1, s, r, b), k3 = slope(x + 0.5f * h * k2, s, r, b), k4 = slope(x + h * k3, s, r, b);
        x += h / 6.0f * (k1 + 2.0f * k2 + 2.0f * k3 + k4);
    }
    vstore3(x, i, o);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=700 * p.n, bytes=24 * p.n),
    tolerance=hl.Tolerance(terms=500, absolute=1e-4),
    domain=dict(v="range"),
)
class lorenz:
    def inputs(p, rng):
        return dict(
            v=rng.uniform(-15, 15, (p.n, 3)).astype("f4"), o=hl.empty((p.n, 3)), n=p.n, h=0.005, s=10.0, r=28.0, b=8 / 3
        )

    def reference(p, v, o, n, h, s, r, b):
        h, s, r, b = (float(np.float32(k)) for k in (h, s, r, b))
        x = v.astype("f8").T

        def f(x):
            return np.stack([s * (x[1] - x[0]), x[0] * (r - x[2]) - x[1], x[0] * x[1] - b * x[2]])

        for _ in range(10):
            k1 = f(x)
            k2 = f(x + h / 2 * k1)
            k3 = f(x + h / 2 * k2)
            k4 = f(x + h * k3)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return dict(o=x.T)

    a = hl.OpenCL(A, "march", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "steps", "nine steps", "t < 10", "t < 9"),
    ("a", "weights", "the last slope is taken at half a step", "slope(x + h * k3", "slope(x + 0.5f * h * k3"),
    ("a", "scalar", "b is a constant", "- b * v.z", "- 2.6666667f * v.z"),
    (
        "a",
        "formula",
        "the first slope is used for the third",
        "slope(x + 0.5f * h * k2, s, r, b), k4",
        "slope(x + 0.5f * h * k1, s, r, b), k4",
    ),
]
