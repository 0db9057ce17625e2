"""Stream compaction: those above a threshold move to the front of their row, in order; the row's count is written."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *y, __global int *count, const int rows, const int n, const float least) {
    const int r = get_group_id(0), l = get_local_id(0);
    __local int offs[64];
    int base = 0;
    for (int start = 0; start < n; start += 64) {
        const int j = start + l;
        const int keep = j < n && x[r * n + j] > least;
        offs[l] = keep;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int step = 1; step < 64; step *= 2) {
            const int add = l >= step ? offs[l - step] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            offs[l] += add;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (keep) y[r * n + base + offs[l] - 1] = x[r * n + j];
        base += offs[63];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int j = base + l; j < n; j += 64) y[r * n + j] = 0.0f;
    if (l == 0) count[r] = base;
}
"""


@hl.kernel(
    problem=dict(rows=20, n=300),
    work=lambda p: hl.Work(flops=10 * p.rows * p.n, bytes=8 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=3, n=64), dict(rows=5, n=131)],
    tolerance=hl.Tolerance(terms=lambda p: 0),
)
class compact:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.n), "f4"),
            y=hl.empty((p.rows, p.n)),
            count=hl.empty(p.rows, "int32"),
            rows=np.int32(p.rows),
            n=np.int32(p.n),
            least=np.float32(0.25),
        )

    def reference(p, x, y, count, rows, n, least):
        o, c = np.zeros((p.rows, p.n)), []
        for r in range(p.rows):
            kept = x[r][x[r] > np.float32(least)]
            o[r, : len(kept)] = kept
            c.append(len(kept))
        return dict(y=o, count=np.array(c))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "compare", "equal ones are kept, too", "> least;", ">= least;"),
    ("plain", "dropped", "the threshold is a constant", "> least;", "> 0.25f;"),
    (
        "plain",
        "barrier",
        "sums are read while others write",
        "offs[l - step] : 0;\n            barrier(CLK_LOCAL_MEM_FENCE);",
        "offs[l - step] : 0;",
    ),
    (
        "plain",
        "barrier",
        "the total is read after the next begins",
        "base += offs[63];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "base += offs[63];",
    ),
    (
        "plain",
        "lost-tail",
        "the rest is not cleared",
        "for (int j = base + l; j < n; j += 64) y[r * n + j] = 0.0f;",
        "",
    ),
    ("plain", "lost-tail", "the last block is left out", "start < n;", "start + 63 < n || start == 0;"),
    ("plain", "count", "the count of the last block", "count[r] = base;", "count[r] = n > 64 ? offs[63] : base;"),
    ("plain", "step", "sums over 32", "step < 64; step", "step < 32; step"),
]
