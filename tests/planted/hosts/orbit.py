import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const int *to, __global int *y, const int g) {
    const int i = get_global_id(0); if (i >= g * 64) return;
    const int o = i & ~63, v = i & 63; int s = 1; for (int a = to[o + v]; a != v; a = to[o + a]) ++s;
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(g=512),
    work=lambda p: hl.Work(flops=0, bytes=512 * p.g),
    awkward=lambda p: [dict(g=1), dict(g=7), dict(g=61)],
)
class orbit:
    """How long the cycle of each of 64 places is in a permutation."""

    def inputs(p, rng):
        return dict(
            to=np.argsort(rng.random((p.g, 64)), axis=1).astype("i4"), y=hl.empty((p.g, 64), "i4"), g=np.int32(p.g)
        )

    def reference(p, to, y, g):
        start = np.tile(np.arange(64), (p.g, 1))
        at, s = to.copy(), np.ones((p.g, 64), "i4")
        while (at != start).any():
            s += at != start
            at = np.where(at != start, np.take_along_axis(to, at, axis=1), at)
        return dict(y=s)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (64 * p.g,), local_size=lambda p, c: (64,))
