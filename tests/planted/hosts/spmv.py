import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const int *o, __global const int *c, __global const float *a, __global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    float s = 0; for (int j = o[i]; j < o[i + 1]; ++j) s += a[j] * x[c[j]];
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=32768),
    work=lambda p: hl.Work(flops=32 * p.n, bytes=140 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1000)],
    tolerance=hl.Tolerance(terms=lambda p: 32),
    linear=("a", "x"),
)
class spmv:
    def inputs(p, rng):
        l = rng.integers(8, 25, p.n)
        o = np.concatenate([[0], np.cumsum(l)]).astype("i4")
        return dict(
            o=o,
            c=rng.integers(0, p.n, o[-1]).astype("i4"),
            a=rng.standard_normal(o[-1], "f4"),
            x=rng.standard_normal(p.n, "f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
        )

    def reference(p, o, c, a, x, y, n):
        s = np.zeros(len(o) - 1)
        np.add.at(s, np.repeat(np.arange(len(o) - 1), np.diff(o)), a.astype("f8") * x[c].astype("f8"))
        return dict(y=s)

    def magnitude(p, o, c, a, x, y, n):
        s = np.zeros(len(o) - 1)
        np.add.at(s, np.repeat(np.arange(len(o) - 1), np.diff(o)), np.abs(a.astype("f8") * x[c].astype("f8")))
        return dict(y=s)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
