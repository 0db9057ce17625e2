import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global const float *h, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return; float s = 0;
    for (int j = 0; j < 65; ++j) { const int q = i + j - 32; s += h[j] * (q >= 0 && q < n ? x[q] : 0.0f); }
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=131072),
    work=lambda p: hl.Work(flops=130 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
    tolerance=hl.Tolerance(terms=lambda p: 65),
    linear=("x", "h"),
)
class fir:
    def inputs(p, rng):
        h = np.hamming(65) * np.sinc((np.arange(65) - 32) / 4) / 4
        return dict(x=rng.standard_normal(p.n, "f4"), h=h.astype("f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, h, y, n):
        return dict(y=np.convolve(x.astype("f8"), h.astype("f8")[::-1], "full")[32 : 32 + p.n])

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
