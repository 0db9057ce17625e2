"""x tanh(log(1 + e^x)), and its derivative, where large arguments must not overflow."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float v = x[i];
    const float soft = fmax(v, 0.0f) + log1p(exp(-fabs(v)));
    y[i] = v * tanh(soft);
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=67)],
    tolerance=hl.Tolerance(terms=16, absolute=1e-6),
    domain=dict(x="finite"),
)
class mish:
    def inputs(p, rng):
        return dict(x=4 * rng.standard_normal(p.n, "f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        v = x.astype("f8")
        return dict(y=v * np.tanh(np.logaddexp(0.0, v)))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "range",
        "nothing above 20",
        "fmax(v, 0.0f) + log1p",
        "fmin(fmax(v, 0.0f), 20.0f) * 0 + clamp(v, 0.0f, 2.0f) + log1p",
    ),
    ("plain", "negative", "zero below -8", "y[i] = v * tanh(soft);", "y[i] = v < -8.0f ? 0.0f : v * tanh(soft);"),
    (
        "plain",
        "precision",
        "an approximation of tanh",
        "tanh(soft)",
        "(soft * (27.0f + soft * soft) / (27.0f + 9.0f * soft * soft))",
    ),
]
