"""Exclusive prefix sums of rows of up to 128 numbers by up-sweep and down-sweep."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void ex(__global const uint *x, __global uint *y, const int cols) {
    __local uint t[128];
    const int l = get_local_id(0), r = get_group_id(0);
    t[l] = l < cols ? x[r * cols + l] : 0;
    t[l + 64] = l + 64 < cols ? x[r * cols + l + 64] : 0;
    for (int d = 1; d < 128; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int k = 2 * d * (l + 1) - 1;
        if (k < 128) t[k] += t[k - d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 63) t[127] = 0;
    for (int d = 64; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int k = 2 * d * (l + 1) - 1;
        if (k < 128) { const uint v = t[k - d]; t[k - d] = t[k]; t[k] += v; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < cols) y[r * cols + l] = t[l];
    if (l + 64 < cols) y[r * cols + l + 64] = t[l + 64];
}
"""


@hl.kernel(
    problem=dict(rows=60, cols=128),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=65), dict(rows=5, cols=100)],
    domain=dict(cols="fixed"),
)
class exscan:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 2**32, (p.rows, p.cols), dtype="u4"), y=hl.empty((p.rows, p.cols), "u4"), cols=p.cols
        )

    def reference(p, x, y, cols):
        return dict(y=(np.cumsum(x.astype("u8"), 1) - x) % 2**32)

    a = hl.OpenCL(A, "ex", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "uninitialised",
        "the second half is loaded only where the row is longer",
        "t[l + 64] = l + 64 < cols ? x[r * cols + l + 64] : 0;",
        "if (l + 64 < cols) t[l + 64] = x[r * cols + l + 64];",
    ),
    ("a", "barrier", "no barrier in the up-sweep", "d <<= 1) {\n        barrier(CLK_LOCAL_MEM_FENCE);", "d <<= 1) {"),
    (
        "a",
        "barrier",
        "no barrier before the root is cleared",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    if (l == 63)",
        "    if (l == 63)",
    ),
    (
        "a",
        "barrier",
        "no barrier before results are stored",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    if (l < cols)",
        "    if (l < cols)",
    ),
    (
        "a",
        "bounds",
        "the second half reads past the row",
        "t[l + 64] = l + 64 < cols ? x[r * cols + l + 64] : 0;",
        "t[l + 64] = x[r * cols + l + 64];",
    ),
]
