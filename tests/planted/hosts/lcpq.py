import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *t, __global const int *a, __global const int *b, __global int *y, const int n, const int m) {
    const int i = get_global_id(0); if (i >= m) return;
    const int u = a[i], v = b[i], e = min(256, n - max(u, v)); int s = 0;
    while (s < e && t[u + s] == t[v + s]) ++s;
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=65536, m=32768),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.m + p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=61, m=7), dict(n=1009, m=300)],
)
class lcpq:
    """How long two pieces of a text are alike, at most 256."""

    def inputs(p, rng):
        word = rng.integers(97, 101, 97, dtype="u1")
        t = np.resize(word, p.n)
        changed = rng.random(p.n) < 0.02
        t[changed] = rng.integers(97, 101, int(changed.sum()), dtype="u1")
        a = rng.integers(0, p.n, p.m, dtype="i4")
        b = ((a + 97 * rng.integers(0, 5, p.m)) % p.n).astype("i4")
        return dict(t=t, a=a, b=b, y=hl.empty(p.m, "i4"), n=np.int32(p.n), m=np.int32(p.m))

    def reference(p, t, a, b, y, n, m):
        limit = np.minimum(256, p.n - np.maximum(a, b))
        s = np.zeros(p.m, "i4")
        live = np.ones(p.m, bool)
        while live.any():
            live &= s < limit
            live[live] = t[(a + s)[live]] == t[(b + s)[live]]
            s += live
        return dict(y=s)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))
