import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *a, __global const uchar *b, __global int *y, const int n, const int l) {
    const int i = get_global_id(0); if (i >= n) return;
    int row[65]; for (int j = 0; j <= l; ++j) row[j] = j;
    for (int u = 1; u <= l; ++u) { int diag = row[0]; row[0] = u;
        for (int j = 1; j <= l; ++j) { const int t = min(min(row[j], row[j - 1]) + 1, diag + (a[i * l + u - 1] != b[i * l + j - 1])); diag = row[j]; row[j] = t; } }
    y[i] = row[l];
}
"""


@hl.kernel(
    problem=dict(n=512, l=64),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.n * p.l),
    awkward=lambda p: [dict(n=1, l=1), dict(n=61, l=17), dict(n=100, l=33)],
    domain=dict(l="at most 64"),
)
class edit:
    def inputs(p, rng):
        a = rng.integers(0, 4, (p.n, p.l)).astype("u1")
        b = np.where(rng.random((p.n, p.l)) < 0.3, rng.integers(0, 4, (p.n, p.l)), a).astype("u1")
        return dict(a=a, b=b, y=hl.empty(p.n, "i4"), n=np.int32(p.n), l=np.int32(p.l))

    def reference(p, a, b, y, n, l):
        row = np.tile(np.arange(p.l + 1), (p.n, 1))
        for u in range(1, p.l + 1):
            new = np.empty_like(row)
            new[:, 0] = u
            for j in range(1, p.l + 1):
                new[:, j] = np.minimum(
                    np.minimum(row[:, j], new[:, j - 1]) + 1, row[:, j - 1] + (a[:, u - 1] != b[:, j - 1])
                )
            row = new
        return dict(y=row[:, -1].astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
