import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *x, __global int *y, const int n) {
    const int i = get_global_id(0); if (i >= n) return;
    int ok = 1;
    for (int a = 0; a < 9; ++a) { uint r = 0, c = 0, b = 0; for (int e = 0; e < 9; ++e) {
        r |= 1u << x[i * 81 + a * 9 + e]; c |= 1u << x[i * 81 + e * 9 + a]; b |= 1u << x[i * 81 + (a / 3 * 3 + e / 3) * 9 + a % 3 * 3 + e % 3]; }
        ok &= r == 1022 && c == 1022 && b == 1022; }
    y[i] = ok;
}
"""


@hl.kernel(
    problem=dict(n=8192),
    work=lambda p: hl.Work(flops=0, bytes=85 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=61), dict(n=1009)],
)
class sudoku:
    """Whether grids of 81 digits have each digit once in every row, column and box."""

    def inputs(p, rng):
        r, c = np.indices((9, 9))
        base = (r * 3 + r // 3 + c) % 9
        digits = np.argsort(rng.random((p.n, 9)), axis=1) + 1
        x = digits[:, base].reshape(p.n, 81).astype("u1")
        spoiled = np.flatnonzero(rng.random(p.n) < 0.5)
        x[spoiled, rng.integers(0, 81, spoiled.size)] = rng.integers(1, 10, spoiled.size)
        return dict(x=x, y=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, x, y, n):
        g = np.uint32(1) << x.reshape(p.n, 9, 9).astype("u4")
        boxes = g.reshape(p.n, 3, 3, 3, 3).transpose(0, 1, 3, 2, 4).reshape(p.n, 9, 9)
        every = [np.bitwise_or.reduce(m, axis=k) == 1022 for m, k in ((g, 2), (g, 1), (boxes, 2))]
        return dict(y=np.all(every, axis=(0, 2)).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))
