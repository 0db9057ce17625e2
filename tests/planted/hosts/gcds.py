import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *a, __global const uint *b, __global uint *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; uint u = a[i], v = b[i];
    while (v) { const uint t = u % v; u = v; v = t; }
    y[i] = u;
}
"""


@hl.kernel(
    problem=dict(n=65536),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
)
class gcds:
    def inputs(p, rng):
        return dict(
            a=rng.integers(0, 2**32, p.n).astype("u4"),
            b=rng.integers(0, 2**32, p.n).astype("u4"),
            y=hl.empty(p.n, "u4"),
            n=np.int32(p.n),
        )

    def reference(p, a, b, y, n):
        return dict(y=np.gcd(a, b))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
