"""Third-order one-sided and fourth-order central differences along rows, one-sided where a row begins and ends."""

import numpy as np

import hotloop as hl

A = """
__kernel void diff(__global const float *u, __global float *d, const float scale, const int n, const int rows) {
    const int i = get_global_id(0), r = get_global_id(1);
    if (i >= n || r >= rows) return;
    __global const float *v = u + r * n;
    float got;
    if (i < 2) got = (-11.0f * v[i] + 18.0f * v[i + 1] - 9.0f * v[i + 2] + 2.0f * v[i + 3]) / 6.0f;
    else if (i >= n - 2) got = (11.0f * v[i] - 18.0f * v[i - 1] + 9.0f * v[i - 2] - 2.0f * v[i - 3]) / 6.0f;
    else got = (v[i - 2] - 8.0f * v[i - 1] + 8.0f * v[i + 1] - v[i + 2]) / 12.0f;
    d[r * n + i] = got * scale;
}
"""


@hl.kernel(
    problem=dict(n=200, rows=60),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n * p.rows),
    awkward=lambda p: [dict(n=5, rows=1), dict(n=6, rows=3), dict(n=33, rows=2)],
    tolerance=hl.Tolerance(terms=6),
    linear=("u",),
    domain=dict(n="any"),
)
class findiff:
    def inputs(p, rng):
        return dict(
            u=rng.standard_normal((p.rows, p.n), "f4"),
            d=hl.empty((p.rows, p.n)),
            scale=float(rng.uniform(0.5, 9)),
            n=p.n,
            rows=p.rows,
        )

    def reference(p, u, d, scale, n, rows):
        v = u.astype("f8")
        out = np.zeros(v.shape)
        for i in range(p.n):
            if i < 2:
                out[:, i] = (-11 * v[:, i] + 18 * v[:, i + 1] - 9 * v[:, i + 2] + 2 * v[:, i + 3]) / 6
            elif i >= p.n - 2:
                out[:, i] = (11 * v[:, i] - 18 * v[:, i - 1] + 9 * v[:, i - 2] - 2 * v[:, i - 3]) / 6
            else:
                out[:, i] = (v[:, i - 2] - 8 * v[:, i - 1] + 8 * v[:, i + 1] - v[:, i + 2]) / 12
        return dict(d=out * scale)

    a = hl.OpenCL(A, "diff", global_size=lambda p, c: (p.n, p.rows))


MUTANTS = [
    ("a", "bounds", "the second point by the central rule", "if (i < 2)", "if (i < 1)"),
    ("a", "bounds", "the last but one by the central rule", "i >= n - 2", "i > n - 2"),
    (
        "a",
        "sign",
        "the outer terms exchanged",
        "(v[i - 2] - 8.0f * v[i - 1] + 8.0f * v[i + 1] - v[i + 2])",
        "(v[i + 2] - 8.0f * v[i - 1] + 8.0f * v[i + 1] - v[i - 2])",
    ),
    ("a", "scalar", "the scale is dropped", "got * scale", "got"),
    ("a", "stride", "rows are as far apart as there are", "u + r * n", "u + r * rows"),
    ("a", "precision", "a sixth with four digits", "2.0f * v[i + 3]) / 6.0f", "2.0f * v[i + 3]) * 0.1667f"),
    (
        "a",
        "one-sided",
        "the right end as a mirror without its sign",
        "got = (11.0f * v[i] - 18.0f * v[i - 1] + 9.0f * v[i - 2] - 2.0f * v[i - 3]) / 6.0f",
        "got = (-11.0f * v[i] + 18.0f * v[i - 1] - 9.0f * v[i - 2] + 2.0f * v[i - 3]) / 6.0f",
    ),
    (
        "a",
        "reads",
        "a row's right end reads the next row's first number, times zero",
        "- 2.0f * v[i - 3]) / 6.0f;\n",
        "- 2.0f * v[i - 3] + 0.0f * v[i + 2]) / 6.0f;\n",
    ),
]
