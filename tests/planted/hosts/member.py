import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const ulong *s, __global const ulong *q, __global uchar *y, const int n, const int m) {
    const int i = get_global_id(0); if (i >= m) return; uchar found = 0;
    for (int j = 0; j < n; ++j) found |= s[j] == q[i];
    y[i] = found;
}
"""


@hl.kernel(
    problem=dict(n=512, m=8192),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n + 9 * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=61, m=17), dict(n=100, m=1009)],
)
class member:
    def inputs(p, rng):
        s = rng.integers(0, 2**64, p.n, dtype="u8")
        q = np.where(rng.random(p.m) < 0.3, s[rng.integers(0, p.n, p.m)], rng.integers(0, 2**64, p.m, dtype="u8"))
        return dict(s=s, q=q, y=hl.empty(p.m, "u1"), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, s, q, y, n, m):
        return dict(y=np.isin(q, s).astype("u1"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))
