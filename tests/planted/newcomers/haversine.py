"""Distances on a sphere between pairs of points."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *a, __global const float *b, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float u = sin(0.5f * (b[2 * i] - a[2 * i])), v = sin(0.5f * (b[2 * i + 1] - a[2 * i + 1]));
    o[i] = 2.0f * asin(sqrt(fmin(1.0f, u * u + cos(a[2 * i]) * cos(b[2 * i]) * v * v)));
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=20 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=128)],
    tolerance=hl.Tolerance(terms=lambda p: 8, absolute=1e-4),
    domain=dict(a="range", b="range"),
)
class haversine:
    def inputs(p, rng):
        q = lambda: np.stack([rng.uniform(-1.5, 1.5, p.n), rng.uniform(-3, 3, p.n)], axis=1).astype("f4")
        return dict(a=q(), b=q(), o=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, a, b, o, n):
        a, b = a.astype("f8"), b.astype("f8")
        u, v = np.sin((b - a).T / 2)
        return dict(o=2 * np.arcsin(np.sqrt(np.minimum(1, u * u + np.cos(a[:, 0]) * np.cos(b[:, 0]) * v * v))))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "term", "one cosine twice", "cos(a[2 * i]) * cos(b[2 * i])", "cos(a[2 * i]) * cos(a[2 * i])"),
    ("plain", "index", "length and width exchanged", "b[2 * i + 1] - a[2 * i + 1]", "b[2 * i] - a[2 * i]"),
    ("plain", "factor", "half the angle", "2.0f * asin", "asin"),
    (
        "plain",
        "formula",
        "the law of cosines, which cancels",
        "o[i] = 2.0f * asin(sqrt(fmin(1.0f, u * u + cos(a[2 * i]) * cos(b[2 * i]) * v * v)))",
        "o[i] = acos(clamp(sin(a[2 * i]) * sin(b[2 * i]) + cos(a[2 * i]) * cos(b[2 * i]) * cos(b[2 * i + 1] - a[2 * i + 1]), -1.0f, 1.0f))",
    ),
    ("plain", "approximation", "the sine of a small angle", "v = sin(0.5f * (", "v = (0.5f * ("),
    ("plain", "lost-tail", "the last is left out", "if (i >= n) return;", "if (i >= n - 1 && n > 1) return;"),
]
