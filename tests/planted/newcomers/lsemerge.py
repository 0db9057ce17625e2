"""Merging partial results of attention by the logarithms of their sums."""

import numpy as np

import hotloop as hl

S = r"""
__kernel void merge(__global const float *parts, __global const float *lse, __global float *out, __global float *all,
                    const int splits, const int rows, const int dim) {
    const int d = get_global_id(0), r = get_global_id(1);
    if (d >= dim || r >= rows) return;
    float top = -INFINITY;
    for (int s = 0; s < splits; ++s) top = fmax(top, lse[s * rows + r]);
    float sum = 0.0f, value = 0.0f;
    for (int s = 0; s < splits; ++s) {
        const float w = top == -INFINITY ? 0.0f : exp(lse[s * rows + r] - top);
        sum += w;
        if (w > 0.0f) value += w * parts[((size_t)s * rows + r) * dim + d];
    }
    out[(size_t)r * dim + d] = sum > 0.0f ? value / sum : 0.0f;
    if (d == 0) all[r] = sum > 0.0f ? top + log(sum) : -INFINITY;
}
"""


@hl.kernel(
    problem=dict(splits=8, rows=64, dim=80),
    work=lambda p: hl.Work(flops=4 * p.splits * p.rows * p.dim, bytes=4 * p.splits * p.rows * (p.dim + 1)),
    awkward=lambda p: [dict(splits=1, rows=1, dim=1), dict(splits=3, rows=5, dim=33), dict(splits=17, rows=2, dim=64)],
    tolerance=hl.Tolerance(terms=lambda p: p.splits, absolute=1e-5),
    linear=("parts",),
)
class lsemerge:
    def inputs(p, rng):
        lse = rng.normal(0, 3, (p.splits, p.rows)).astype("f4")
        lse[rng.random(lse.shape) < 0.2] = -np.inf
        return dict(
            parts=rng.standard_normal((p.splits, p.rows, p.dim), "f4"),
            lse=lse,
            out=hl.empty((p.rows, p.dim)),
            lse_out=hl.empty(p.rows),
            splits=p.splits,
            rows=p.rows,
            dim=p.dim,
        )

    def reference(p, parts, lse, out, lse_out, splits, rows, dim):
        z = lse.astype("f8")
        top = z.max(0)
        safe = np.where(np.isinf(top), 0, top)
        w = np.exp(z - safe)
        total = w.sum(0)
        some = total > 0
        v = np.where(w[..., None] > 0, w[..., None] * np.where(w[..., None] > 0, parts.astype("f8"), 0), 0).sum(0)
        return dict(
            out=np.where(some[:, None], v / np.where(some, total, 1)[:, None], 0),
            lse_out=np.where(some, safe + np.log(np.where(some, total, 1)), -np.inf),
        )

    plain = hl.OpenCL(S, "merge", global_size=lambda p, c: (p.dim, p.rows))


MUTANTS = [
    (
        "plain",
        "unstable",
        "the largest is not subtracted",
        "float top = -INFINITY;\n    for (int s = 0; s < splits; ++s) top = fmax(top, lse[s * rows + r]);",
        "const float top = 0.0f;",
    ),
    (
        "plain",
        "limit",
        "the last part is left out of the largest",
        "for (int s = 0; s < splits; ++s) top",
        "for (int s = 0; s < splits - 1; ++s) top",
    ),
    ("plain", "formula", "the sum's logarithm by the base two", "log(sum)", "log2(sum)"),
    ("plain", "zero", "the largest begins at zero", "float top = -INFINITY;\n    for", "float top = 0.0f;\n    for"),
]
