"""Softplus, log(1 + exp(b x)) / b, without overflow; NaN and infinities go through."""

import numpy as np

import hotloop as hl

FLAT = """
__kernel void k(__global const float *x, __global float *y, const int n, const float b) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = b * x[i];
    y[i] = isnan(v) ? v : (fmax(v, 0.0f) + log1p(exp(-fabs(v)))) / b;
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77), dict(n=1025)],
    tolerance=hl.Tolerance(terms=lambda p: 16),
    domain=dict(x="any"),
)
class softplus:
    def inputs(p, rng):
        return dict(
            x=(30 * rng.standard_normal(p.n)).astype("f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
            b=np.float32(rng.uniform(0.5, 2)),
        )

    def reference(p, x, y, n, b):
        with np.errstate(all="ignore"):
            return dict(y=np.logaddexp(0, b.astype("f8") * x.astype("f8")) / b)

    flat = hl.OpenCL(FLAT, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("flat", "overflow", "large values overflow", "(fmax(v, 0.0f) + log1p(exp(-fabs(v))))", "log1p(exp(v))"),
    ("flat", "nan", "a NaN gives the least result", "isnan(v) ? v : ", "isnan(v) ? 0.0f : "),
    ("flat", "cancellation", "log of one plus something small", "log1p(exp(-fabs(v)))", "log(1.0f + exp(-fabs(v)))"),
    ("flat", "infinity", "the lower end is cut at -100", "b * x[i]", "fmax(b * x[i], isnan(x[i]) ? NAN : -30.0f)"),
    ("flat", "scalar", "not divided by the scale above 20", "/ b;", "/ (v > 20.0f ? 1.0f : b);"),
]
