"""One long sum of numbers near one, added up one by one in float32: what is added stalls."""

import numpy as np

import hotloop as hl

A = """
__kernel void stalled(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; ++j) s += x[i * n + j];
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(r=3, n=1048576),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.n),
    awkward=lambda p: [dict(r=1, n=1), dict(r=2, n=61), dict(r=3, n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: p.n),
)
class stalled:
    def inputs(p, rng):
        return dict(x=rng.uniform(0.999, 1.001, (p.r, p.n)).astype("f4"), y=hl.empty(p.r), n=np.int32(p.n))

    def reference(p, x, y, n):
        return dict(y=x.astype("f8").sum(axis=1))

    a = hl.OpenCL(A, "stalled", global_size=lambda p, c: (p.r,))


MUTANTS = [
    ("a", "bounds", "the last is left out", "j < n; ++j", "j < n - 1; ++j"),
    ("a", "index", "rows overlap", "i * n + j", "i + j"),
    ("a", "stride", "every other, twice", "++j) s += x[i * n + j]", "j += 2) s += 2 * x[i * n + j]"),
    ("a", "value", "squares", "s += x[i * n + j]", "s += x[i * n + j] * x[i * n + j]"),
    ("a", "init", "starts at the first", "float s = 0", "float s = x[i * n]"),
]
