import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *a, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    float v[6], z[6], l = 0; for (int q = 0; q < 6; ++q) v[q] = 1.0f;
    for (int s = 0; s < 60; ++s) { l = 0; for (int q = 0; q < 6; ++q) { z[q] = 0; for (int e = 0; e < 6; ++e) z[q] += a[i * 36 + q * 6 + e] * v[e]; l = fmax(l, fabs(z[q])); }
        for (int q = 0; q < 6; ++q) v[q] = z[q] / l; }
    y[i] = l;
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=0, bytes=148 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 64),
)
class powit:
    """The largest eigenvalue of matrices of positive numbers, after 60 steps."""

    def inputs(p, rng):
        return dict(a=rng.uniform(0.1, 1, (p.n, 6, 6)).astype("f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, a, y, n):
        m, v = a.astype("f8"), np.ones((p.n, 6))
        for _ in range(60):
            z = (m * v[:, None]).sum(axis=2)
            largest = np.abs(z).max(axis=1)
            v = z / largest[:, None]
        return dict(y=largest)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
