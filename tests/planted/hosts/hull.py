import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *x, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    __global const float *q = x + i * 64; int first = 0, s = 0;
    for (int j = 1; j < 32; ++j) if (q[2 * j] < q[2 * first] || (q[2 * j] == q[2 * first] && q[2 * j + 1] < q[2 * first + 1])) first = j;
    int at = first;
    do { int to = at ? 0 : 1;
        for (int j = 0; j < 32; ++j) { const double c = (double)(q[2 * to] - (double)q[2 * at]) * (q[2 * j + 1] - (double)q[2 * at + 1]) - (q[2 * to + 1] - (double)q[2 * at + 1]) * (q[2 * j] - (double)q[2 * at]);
            const double u = fabs(q[2 * j] - (double)q[2 * at]) + fabs(q[2 * j + 1] - (double)q[2 * at + 1]), v = fabs(q[2 * to] - (double)q[2 * at]) + fabs(q[2 * to + 1] - (double)q[2 * at + 1]);
            if (c > 0 || (c == 0 && u > v)) to = j; }
        ++s; at = to;
    } while (s < 32 && (q[2 * at] != q[2 * first] || q[2 * at + 1] != q[2 * first + 1]));
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=1024),
    work=lambda p: hl.Work(flops=0, bytes=260 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=257)],
)
class hull:
    """Corners of the convex hull of 32 points."""

    def inputs(p, rng):
        return dict(x=rng.integers(-1000, 1001, (p.n, 32, 2)).astype("f4"), y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, x, y, n):
        q = x.astype("f8")
        g = np.arange(p.n)
        first = np.lexsort((q[:, :, 1], q[:, :, 0]), axis=1)[:, 0]
        at, count, done = first.copy(), np.zeros(p.n, "i4"), np.zeros(p.n, bool)
        for _ in range(32):
            to = np.where(at > 0, 0, 1)
            here = q[g, at]
            for j in range(32):
                d, e = q[g, to] - here, q[:, j] - here
                c = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
                to = np.where((c > 0) | ((c == 0) & (np.abs(e).sum(axis=1) > np.abs(d).sum(axis=1))), j, to)
            count += ~done
            at = np.where(done, at, to)
            done |= (q[g, at] == q[g, first]).all(axis=1)
        return dict(y=count)

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
