import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *a, __global const float *b, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    float l[16][16]; __global const float *m = a + i * 256;
    for (int r = 0; r < 16; ++r) for (int c = 0; c <= r; ++c) { float s = m[r * 16 + c]; for (int q = 0; q < c; ++q) s -= l[r][q] * l[c][q]; l[r][c] = r == c ? sqrt(s) : s / l[c][c]; }
    float z[16];
    for (int r = 0; r < 16; ++r) { float s = b[i * 16 + r]; for (int q = 0; q < r; ++q) s -= l[r][q] * z[q]; z[r] = s / l[r][r]; }
    for (int r = 15; r >= 0; --r) { float s = z[r]; for (int q = r + 1; q < 16; ++q) s -= l[q][r] * z[q]; z[r] = s / l[r][r]; }
    for (int r = 0; r < 16; ++r) y[i * 16 + r] = z[r];
}
"""


@hl.kernel(
    problem=dict(n=2048),
    work=lambda p: hl.Work(flops=0, bytes=1200 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=100)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-4),
    domain=dict(a="definite"),
)
class solve:
    def inputs(p, rng):
        g = rng.standard_normal((p.n, 16, 16)) / 8
        a = g @ g.transpose(0, 2, 1) + np.eye(16)
        return dict(a=a.astype("f4"), b=rng.standard_normal((p.n, 16), "f4"), y=hl.empty((p.n, 16)), n=np.int32(p.n))

    def reference(p, a, b, y, n):
        return dict(y=np.linalg.solve(a.astype("f8"), b.astype("f8")[..., None])[..., 0])

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
