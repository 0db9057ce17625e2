"""Eigenvalues of symmetric 2 x 2 matrices, the larger first, without cancellation; and the direction of the first."""

import numpy as np

import hotloop as hl

A = """
__kernel void eigen2(__global const float *m, __global float2 *value, __global uchar *steep, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float a = m[i], b = m[n + i], d = m[2 * n + i];
    const float middle = 0.5f * (a + d), half_gap = 0.5f * (a - d), root = hypot(half_gap, b);
    value[i] = (float2)(middle + root, middle - root);
    steep[i] = d > a ? 1 : (d == a && b != 0.0f ? 2 : 0);
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=8 * p.n, bytes=21 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=257)],
    tolerance=hl.Tolerance(terms=8),
)
class eigen2:
    def inputs(p, rng):
        return dict(
            m=rng.standard_normal((3, p.n)).astype("f4"), value=hl.empty((p.n, 2)), steep=hl.empty(p.n, "u1"), n=p.n
        )

    def reference(p, m, value, steep, n):
        a, b, d = m.astype("f8")
        root = np.hypot((a - d) / 2, b)
        return dict(
            value=np.stack([(a + d) / 2 + root, (a + d) / 2 - root], 1),
            steep=np.where(d > a, 1, np.where((d == a) & (b != 0), 2, 0)),
        )

    def magnitude(p, m, value, steep, n):
        size = np.abs(m.astype("f8")).sum(0)
        return dict(value=np.stack([size, size], 1), steep=np.ones(n))

    a = hl.OpenCL(A, "eigen2", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "swap",
        "the smaller first",
        "(float2)(middle + root, middle - root)",
        "(float2)(middle - root, middle + root)",
    ),
    ("a", "tie", "equal diagonals count as steep", "d > a ? 1", "d >= a ? 1"),
    ("a", "zeroed", "equal diagonals count as flat", "(d == a && b != 0.0f ? 2 : 0)", "0"),
    ("a", "overflow", "the square root of a sum of squares", "hypot(half_gap, b)", "sqrt(half_gap * half_gap + b * b)"),
    ("a", "stride", "planes one element apart", "d = m[2 * n + i]", "d = m[2 * n + max(i - 1, 0)]"),
    (
        "a",
        "negative",
        "the sign of what lies beside the diagonal",
        "hypot(half_gap, b)",
        "(b < 0.0f ? fabs(half_gap) : hypot(half_gap, b))",
    ),
    (
        "a",
        "bounds",
        "the last one is left out in groups of 64",
        "if (i >= n) return;",
        "if (i >= n || (i == n - 1 && n % 64 == 1 && n > 1)) return;",
    ),
]
