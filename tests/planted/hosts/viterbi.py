import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *e, __global const float *t, __global float *y, const int n, const int l) {
    const int i = get_global_id(0); if (i >= n) return; float s[16], z[16];
    for (int a = 0; a < 16; ++a) s[a] = e[i * l * 16 + a];
    for (int q = 1; q < l; ++q) { for (int a = 0; a < 16; ++a) { float m = -INFINITY; for (int b = 0; b < 16; ++b) m = fmax(m, s[b] + t[b * 16 + a]); z[a] = m + e[(i * l + q) * 16 + a]; } for (int a = 0; a < 16; ++a) s[a] = z[a]; }
    float m = s[0]; for (int a = 1; a < 16; ++a) m = fmax(m, s[a]); y[i] = m;
}
"""


@hl.kernel(
    problem=dict(n=512, l=64),
    work=lambda p: hl.Work(flops=0, bytes=64 * p.n * p.l),
    awkward=lambda p: [dict(n=1, l=1), dict(n=61, l=7), dict(n=100, l=33)],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.l),
)
class viterbi:
    def inputs(p, rng):
        return dict(
            e=-4 * rng.random((p.n, p.l, 16), "f4"),
            t=-4 * rng.random((16, 16), "f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
            l=np.int32(p.l),
        )

    def reference(p, e, t, y, n, l):
        s = e[:, 0].astype("f8")
        for q in range(1, p.l):
            s = (s[:, :, None] + t.astype("f8")[None]).max(axis=1) + e[:, q]
        return dict(y=s.max(axis=1))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
