"""Inverses of matrices of three rows by cofactors, stored as structures of arrays; well conditioned ones."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *a, __global float *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float m[9];
    for (int j = 0; j < 9; ++j) m[j] = a[j * n + i];
    const float c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
    const float r = 1.0f / (m[0] * c0 + m[1] * c1 + m[2] * c2);
    o[0 * n + i] = c0 * r;
    o[1 * n + i] = (m[2] * m[7] - m[1] * m[8]) * r;
    o[2 * n + i] = (m[1] * m[5] - m[2] * m[4]) * r;
    o[3 * n + i] = c1 * r;
    o[4 * n + i] = (m[0] * m[8] - m[2] * m[6]) * r;
    o[5 * n + i] = (m[2] * m[3] - m[0] * m[5]) * r;
    o[6 * n + i] = c2 * r;
    o[7 * n + i] = (m[1] * m[6] - m[0] * m[7]) * r;
    o[8 * n + i] = (m[0] * m[4] - m[1] * m[3]) * r;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=42 * p.n, bytes=72 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=9), dict(n=333)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-5),
    domain=dict(a="definite"),
)
class inv3:
    def inputs(p, rng):
        a = rng.uniform(-1, 1, (3, 3, p.n)) + 3 * np.eye(3)[:, :, None]
        return dict(a=a.astype("f4"), o=hl.empty((3, 3, p.n)), n=np.int32(p.n))

    def reference(p, a, o, n):
        return dict(o=np.moveaxis(np.linalg.inv(np.moveaxis(a.astype("f8"), 2, 0)), 0, 2))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "index",
        "the inverse is transposed",
        "o[1 * n + i] = (m[2] * m[7] - m[1] * m[8]) * r;\n    o[2 * n + i] = (m[1] * m[5] - m[2] * m[4]) * r;\n    o[3 * n + i] = c1 * r;",
        "o[3 * n + i] = (m[2] * m[7] - m[1] * m[8]) * r;\n    o[2 * n + i] = (m[1] * m[5] - m[2] * m[4]) * r;\n    o[1 * n + i] = c1 * r;",
    ),
    ("plain", "sign", "a cofactor has the other sign", "(m[2] * m[7] - m[1] * m[8])", "(m[1] * m[8] - m[2] * m[7])"),
    ("plain", "layout", "arrays of structures", "m[j] = a[j * n + i]", "m[j] = a[9 * i + j]"),
    (
        "plain",
        "precision",
        "a quick reciprocal",
        "1.0f / (m[0] * c0 + m[1] * c1 + m[2] * c2)",
        "native_recip(as_float(as_uint(m[0] * c0 + m[1] * c1 + m[2] * c2) & 0xFFFFF000u))",
    ),
    (
        "plain",
        "stale-output",
        "the last element is not stored",
        "    o[8 * n + i] = (m[0] * m[4] - m[1] * m[3]) * r;\n",
        "",
    ),
]
