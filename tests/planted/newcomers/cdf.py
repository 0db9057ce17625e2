"""Draws from each row's probabilities: the first place where the running sum exceeds a uniform number."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const int *w, __global const uint *u, __global int *o, const int rows, const int cols) {
    __local uint part[32];
    const int r = get_group_id(0), l = get_local_id(0);
    uint sum = 0;
    for (int c = l * ((cols + 31) / 32); c < min(cols, (l + 1) * ((cols + 31) / 32)); ++c) sum += w[r * cols + c];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0, all = 0;
    for (int j = 0; j < 32; ++j) { before += j < l ? part[j] : 0; all += part[j]; }
    const uint x = u[r] % max(all, 1u);
    if (l == 0 && all == 0) o[r] = -1;
    for (int c = l * ((cols + 31) / 32); c < min(cols, (l + 1) * ((cols + 31) / 32)); ++c) {
        if (x >= before && x < before + w[r * cols + c]) o[r] = c;
        before += w[r * cols + c];
    }
}
"""


@hl.kernel(
    problem=dict(rows=70, cols=200),
    work=lambda p: hl.Work(flops=4 * p.rows * p.cols, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=9, cols=33), dict(rows=3, cols=32)],
    domain=dict(w="range"),
)
class cdf:
    def inputs(p, rng):
        w = rng.integers(0, 1000, (p.rows, p.cols)).astype("i4") * (rng.random((p.rows, p.cols)) < 0.4)
        w[::7] = 0
        return dict(
            w=w.astype("i4"),
            u=rng.integers(0, 2**32, p.rows, dtype="u4"),
            o=hl.empty(p.rows, "i4"),
            rows=np.int32(p.rows),
            cols=np.int32(p.cols),
        )

    def reference(p, w, u, o, rows, cols):
        sums = np.cumsum(w.reshape(p.rows, p.cols).astype("i8"), axis=1)
        x = u.astype("i8") % np.maximum(sums[:, -1], 1)
        found = (sums > x[:, None]).argmax(axis=1)
        return dict(o=np.where(sums[:, -1] == 0, -1, found))

    group = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("group", "ends", "a draw at the end of an interval", "x >= before && x <", "x > before && x <="),
    ("group", "empty", "rows without weight are not written", "if (l == 0 && all == 0) o[r] = -1;", ""),
    ("group", "barrier", "no barrier behind the parts", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("group", "type", "sums in 16 bits", "before += w[r * cols + c];", "before = (ushort)(before + w[r * cols + c]);"),
]
