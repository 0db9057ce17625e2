"""Sum of two sparse matrices, rows merged; where the sum's rows begin is known."""

import numpy as np

import hotloop as hl

A = """
__kernel void add(__global const int *sa, __global const int *ca, __global const float *va, __global const int *sb, __global const int *cb, __global const float *vb,
                  __global const int *so, __global int *co, __global float *vo, const float beta, const int rows) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int i = sa[r], j = sb[r], at = so[r];
    const int ei = sa[r + 1], ej = sb[r + 1];
    while (i < ei || j < ej) {
        const int x = i < ei ? ca[i] : INT_MAX, y = j < ej ? cb[j] : INT_MAX;
        const int c = min(x, y);
        float v = 0.0f;
        if (x == c) v += va[i++];
        if (y == c) v += beta * vb[j++];
        co[at] = c;
        vo[at++] = v;
    }
}
"""


def _matrix(rows, columns, density, rng):
    mask = rng.random((rows, columns)) < density
    start = np.concatenate([[0], np.cumsum(mask.sum(axis=1))]).astype("i4")
    return mask, start, np.nonzero(mask)[1].astype("i4")


@hl.kernel(
    problem=dict(rows=200, columns=90),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.rows * p.columns),
    awkward=lambda p: [dict(rows=1, columns=3), dict(rows=33, columns=40), dict(rows=70, columns=7)],
    tolerance=hl.Tolerance(terms=lambda p: 4, absolute=1e-6),
    domain=dict(sa="structure", ca="structure", sb="structure", cb="structure", so="structure"),
)
class csradd:
    def inputs(p, rng):
        ma, sa, ca = _matrix(p.rows, p.columns, 0.1, rng)
        mb, sb, cb = _matrix(p.rows, p.columns, 0.2, rng)
        so = np.concatenate([[0], np.cumsum((ma | mb).sum(axis=1))]).astype("i4")
        nz = max(1, int(so[-1]))
        ca, cb = (c if c.size else np.zeros(1, "i4") for c in (ca, cb))
        return dict(
            sa=sa, ca=ca, va=rng.standard_normal(ca.size, "f4"), sb=sb, cb=cb, vb=rng.standard_normal(cb.size, "f4"),
            so=so, co=rng.integers(0, 9, nz).astype("i4"), vo=rng.random(nz, "f4"), beta=np.float32(-0.5), rows=p.rows,
        )  # fmt: skip

    def reference(p, sa, ca, va, sb, cb, vb, so, co, vo, beta, rows):
        co, vo = co.astype("i8"), vo.astype("f8")
        for r in range(rows):
            row = {int(c): float(v) for c, v in zip(ca[sa[r] : sa[r + 1]], va[sa[r] : sa[r + 1]], strict=False)}
            for c, v in zip(cb[sb[r] : sb[r + 1]], vb[sb[r] : sb[r + 1]], strict=False):
                row[int(c)] = row.get(int(c), 0.0) + float(beta) * float(v)
            keys = sorted(row)
            co[so[r] : so[r + 1]], vo[so[r] : so[r + 1]] = keys, [row[k] for k in keys]
        return dict(co=co, vo=vo)

    a = hl.OpenCL(A, "add", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "branch", "equal columns stay apart", "if (y == c) v +=", "else if (y == c) v +="),
    ("a", "tail", "what is left of the second is lost", "while (i < ei || j < ej)", "while (i < ei)"),
    (
        "a",
        "scalar",
        "beta is not applied where both have the column",
        "v += beta * vb[j++]",
        "v += (x == y ? 1.0f : beta) * vb[j++]",
    ),
    ("a", "bounds", "columns are read past the row", "i < ei ? ca[i] : INT_MAX", "i <= ei ? ca[i] : INT_MAX"),
    ("a", "swap", "values of the first for the second", "beta * vb[j++]", "beta * va[j++]"),
]
