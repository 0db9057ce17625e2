import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *x, __global uint *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    uint v = x[i], f = v;
    for (uint d = 2; d * d <= v; ++d) if (v % d == 0) { f -= f / d; do v /= d; while (v % d == 0); }
    if (v > 1) f -= f / v;
    y[i] = f;
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
)
class totient:
    """How many numbers up to each have no divisor in common with it."""

    def inputs(p, rng):
        return dict(x=rng.integers(1, 1000001, p.n, dtype="u4"), y=hl.empty(p.n, "u4"), n=np.int32(p.n))

    def reference(p, x, y, n):
        v, f = x.astype("i8"), x.astype("i8")
        for d in range(2, 1001):
            hit = v % d == 0
            f = np.where(hit, f - f // d, f)
            while hit.any():
                v = np.where(hit, v // d, v)
                hit = hit & (v % d == 0)
        return dict(y=np.where(v > 1, f - f // np.maximum(v, 1), f).astype("u4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
