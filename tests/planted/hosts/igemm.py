import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const char *a, __global const char *b, __global int *y, const int n, const int m) {
    const int i = get_global_id(0), j = get_global_id(1); if (i >= n || j >= n) return; int s = 0;
    for (int q = 0; q < m; ++q) s += a[j * m + q] * b[q * n + i];
    y[j * n + i] = s;
}
"""


@hl.kernel(
    problem=dict(n=128, m=256),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=17, m=61), dict(n=33, m=100)],
)
class igemm:
    def inputs(p, rng):
        return dict(
            a=rng.integers(-128, 128, (p.n, p.m)).astype("i1"),
            b=rng.integers(-128, 128, (p.m, p.n)).astype("i1"),
            y=hl.empty((p.n, p.n), "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, a, b, y, n, m):
        return dict(y=a.astype("i4") @ b.astype("i4"))

    opencl = hl.OpenCL(
        SOURCE, "k", global_size=lambda p, c: (-(-p.n // 16) * 16, -(-p.n // 4) * 4), local_size=lambda p, c: (16, 4)
    )
