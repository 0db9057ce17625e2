"""Rows of samples at other places by a windowed sinc of three lobes; what lies outside is the nearest sample."""

import numpy as np

import hotloop as hl

A = """
float weight(const float d) {
    if (fabs(d) < 1e-6f) return 1.0f;
    return fabs(d) < 3.0f ? 3.0f * sinpi(d) * sinpi(d / 3.0f) / (9.8696044f * d * d) : 0.0f;
}
__kernel void lanczos(__global const float *x, __global float *y, const int from, const int to, const float step) {
    const int i = get_global_id(0), r = get_global_id(1);
    if (i >= to) return;
    const float at = (i + 0.5f) * step - 0.5f;
    const int first = (int)floor(at) - 2;
    float sum = 0.0f, all = 0.0f;
    for (int k = 0; k < 6; ++k) {
        const float w = weight(at - (first + k));
        sum += w * x[r * from + clamp(first + k, 0, from - 1)];
        all += w;
    }
    y[r * to + i] = sum / all;
}
"""


@hl.kernel(
    problem=dict(rows=20, wide=300, out=450),
    work=lambda p: hl.Work(flops=60 * p.rows * p.out, bytes=4 * p.rows * (p.wide + p.out)),
    awkward=lambda p: [dict(rows=1, wide=1, out=3), dict(rows=3, wide=7, out=7), dict(rows=2, wide=50, out=33)],
    tolerance=hl.Tolerance(terms=64, absolute=2e-4),
)
class lanczos:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.wide), "f4"),
            y=hl.empty((p.rows, p.out)),
            wide=p.wide,
            out=p.out,
            step=np.float32(p.wide / p.out),
        )

    def reference(p, x, y, wide, out, step):
        at = (np.arange(p.out) + 0.5) * float(step) - 0.5
        first = np.floor(at).astype(int) - 2
        place = first[:, None] + np.arange(6)
        d = at[:, None] - place
        w = np.where(np.abs(d) < 3, np.sinc(d) * np.sinc(d / 3), 0)
        return dict(y=(x.astype("f8")[:, np.clip(place, 0, p.wide - 1)] * w).sum(2) / w.sum(1))

    a = hl.OpenCL(A, "lanczos", global_size=lambda p, c: (p.out, p.rows))


MUTANTS = [
    ("a", "window", "two lobes", "fabs(d) < 3.0f ?", "fabs(d) < 2.0f ?"),
    ("a", "scalar", "places are not centred", "(i + 0.5f) * step - 0.5f", "i * step"),
    ("a", "bounds", "no clamp at the end", "clamp(first + k, 0, from - 1)", "max(first + k, 0)"),
    ("a", "norm", "weights are not made to sum to one", "sum / all", "sum"),
    ("a", "lost", "the sixth sample", "k < 6; ++k", "k < 5; ++k"),
    ("a", "cast", "rounded toward zero", "(int)floor(at) - 2", "(int)at - 2"),
    ("a", "bounds", "the sample before the row", "clamp(first + k, 0, from - 1)", "clamp(first + k, -1, from - 1)"),
]
