import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global const int *l, __global const int *r, __global const float *v, __global int *y, const int n, const int m) {
    const int i = get_global_id(0); if (i >= m) return;
    int s = 0; for (int j = l[i]; j < r[i]; ++j) s += x[j] < v[i];
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=65536, m=4096),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.m + 4 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=61, m=7), dict(n=1009, m=300)],
)
class rangecount:
    """How many numbers of a range lie below a limit; ranges of up to 512."""

    def inputs(p, rng):
        l = rng.integers(0, p.n, p.m)
        r = np.minimum(p.n, l + rng.integers(0, 513, p.m))
        return dict(
            x=rng.standard_normal(p.n, "f4"),
            l=l.astype("i4"),
            r=r.astype("i4"),
            v=rng.standard_normal(p.m, "f4"),
            y=hl.empty(p.m, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, x, l, r, v, y, n, m):
        return dict(y=np.array([np.count_nonzero(x[a:b] < t) for a, b, t in zip(l, r, v, strict=True)], "i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.m // 64) * 64,), local_size=lambda p, c: (64,))
