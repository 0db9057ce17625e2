import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    float a = 1.0f, b = sqrt((1.0f - x[i]) * (1.0f + x[i]));
    for (int s = 0; s < 8; ++s) { const float c = 0.5f * (a + b); b = sqrt(a * b); a = c; }
    y[i] = 1.57079632679f / a;
}
"""


@hl.kernel(
    problem=dict(n=65536),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
    tolerance=hl.Tolerance(terms=lambda p: 16),
)
class agm:
    """Complete elliptic integrals of the first kind, of the modulus."""

    def inputs(p, rng):
        return dict(x=rng.uniform(0, 0.99, p.n).astype("f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        k = x.astype("f8")
        a, b = np.ones(p.n), np.sqrt((1 - k) * (1 + k))
        for _ in range(10):
            a, b = (a + b) / 2, np.sqrt(a * b)
        return dict(y=np.pi / 2 / a)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
