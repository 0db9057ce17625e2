import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global const float *c, __global int *y, const int n, const int m) {
    const int i = get_global_id(0); if (i >= n) return;
    float best = INFINITY; int at = 0;
    for (int j = 0; j < m; ++j) { float d = 0; for (int e = 0; e < 32; ++e) { const float t = x[i * 32 + e] - c[j * 32 + e]; d += t * t; } if (d < best) { best = d; at = j; } }
    y[i] = at;
}
"""


@hl.kernel(
    problem=dict(n=2048, m=256),
    work=lambda p: hl.Work(flops=96 * p.n * p.m, bytes=128 * (p.n + p.m)),
    awkward=lambda p: [dict(n=1, m=1), dict(n=61, m=7), dict(n=100, m=33)],
)
class near:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.n, 32), "f4"),
            c=rng.standard_normal((p.m, 32), "f4"),
            y=hl.empty(p.n, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, x, c, y, n, m):
        d = ((x[:, None, :].astype("f8") - c[None].astype("f8")) ** 2).sum(axis=2)
        return dict(y=np.argmin(d, axis=1).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
