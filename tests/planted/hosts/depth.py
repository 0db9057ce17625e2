import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const int *up, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    int s = 0; for (int v = i; v; v = up[v]) ++s;
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=65536),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
)
class depth:
    """How far each node of a tree lies from its root, by the node above each."""

    def inputs(p, rng):
        up = (rng.random(p.n) * np.arange(p.n)).astype("i4")
        return dict(up=up, y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, up, y, n):
        s = np.zeros(p.n, "i4")
        v = np.arange(p.n)
        while v.any():
            s += v > 0
            v = up[v]
        return dict(y=s)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
