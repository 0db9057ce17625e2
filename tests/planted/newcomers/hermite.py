"""A table of values and slopes, read between its places by cubic pieces."""

import numpy as np

import hotloop as hl

A = """
__kernel void hermite(__global const float *t, __global const float *d, __global const float *x, __global float *y, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = clamp(x[i], 0.0f, (float)(m - 1));
    const int k = min((int)v, m - 2);
    const float u = v - k, w = 1 - u;
    y[i] = t[k] * (1 + 2 * u) * w * w + d[k] * u * w * w + t[k + 1] * u * u * (3 - 2 * u) - d[k + 1] * u * u * w;
}
"""


@hl.kernel(
    problem=dict(n=4096, m=64),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1, m=2), dict(n=65, m=3), dict(n=257, m=17)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1e-5),
)
class hermite:
    def inputs(p, rng):
        return dict(
            t=rng.standard_normal(p.m, "f4"),
            d=rng.standard_normal(p.m, "f4"),
            x=rng.uniform(-1, p.m, p.n).astype("f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, t, d, x, y, n, m):
        v = np.clip(x.astype("f8"), 0, p.m - 1)
        k = np.minimum(v.astype("i8"), p.m - 2)
        u = v - k
        w, t, d = 1 - u, t.astype("f8"), d.astype("f8")
        y = t[k] * (1 + 2 * u) * w**2 + d[k] * u * w**2 + t[k + 1] * u**2 * (3 - 2 * u) - d[k + 1] * u**2 * w
        return dict(y=y)

    a = hl.OpenCL(A, "hermite", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "no lower end", "clamp(x[i], 0.0f, (float)(m - 1))", "fmin(x[i], (float)(m - 1))"),
    ("a", "bounds", "no upper end", "clamp(x[i], 0.0f, (float)(m - 1))", "fmax(x[i], 0.0f)"),
    ("a", "index", "the slope behind", "- d[k + 1]", "- d[k]"),
    ("a", "value", "a straight line", "u * u * (3 - 2 * u)", "u"),
    ("a", "bounds", "the last piece is not reached", "m - 2)", "max(m - 3, 0))"),
    ("a", "sign", "plus for minus", "- d[k + 1]", "+ d[k + 1]"),
]
