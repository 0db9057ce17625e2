"""Twice a vector, four at a time: its kernel counts on the alignment that OpenCL promises, through a name for the type."""

import numpy as np

import hotloop as hl

PLAIN = """
typedef float4 quad;
__kernel void k(__global const quad *a, __global quad *o, const int n) {
    const int i = get_global_id(0);
    if (4 * i + 3 < n) o[i] = 2 * a[i];
    else for (int j = 4 * i; j < n; ++j) ((__global float *)o)[j] = 2 * ((__global const float *)a)[j];
}
"""


@hl.kernel(
    problem=dict(n=1003),
    work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=6), dict(n=1025)],
)
class quads:
    def inputs(p, rng):
        return dict(a=rng.standard_normal(p.n).astype("f4"), o=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, a, o, n):
        return dict(o=2 * a.astype("f8"))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: ((p.n + 3) // 4,))


MUTANTS = [
    ("plain", "over", "the next four are read", "o[i] = 2 * a[i];", "o[i] = 2 * a[i] + (a[i + 1].x > 1e38f);"),
    ("plain", "tail", "the last part is left", "j < n; ++j", "j < n - 1; ++j"),
]
