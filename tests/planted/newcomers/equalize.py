"""Grey levels of each image spread over the whole range by their cumulative histogram."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void eq(__global const uchar *x, __global uchar *y, const int cols) {
    __local uint h[256];
    __local uint first;
    const int l = get_local_id(0), r = get_group_id(0);
    for (int k = l; k < 256; k += 64) h[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = l; c < cols; c += 64) atomic_inc(&h[x[r * cols + c]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        uint s = 0;
        first = 0;
        for (int k = 0; k < 256; ++k) { s += h[k]; if (!first) first = s; h[k] = s; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint low = first, span = cols - low;
    for (int c = l; c < cols; c += 64) y[r * cols + c] = span ? (h[x[r * cols + c]] - low) * 255u / span : x[r * cols + c];
}
"""


@hl.kernel(
    problem=dict(rows=40, cols=1000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=65), dict(rows=5, cols=300)],
)
class equalize:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.rows, p.cols), dtype="u1"), y=hl.empty((p.rows, p.cols), "u1"), cols=p.cols
        )

    def reference(p, x, y, cols):
        out = np.empty_like(x)
        for r, row in enumerate(x):
            cdf = np.cumsum(np.bincount(row, minlength=256))
            low = cdf[cdf > 0][0]
            out[r] = row if low == p.cols else (cdf[row] - low) * 255 // (p.cols - low)
        return dict(y=out)

    a = hl.OpenCL(A, "eq", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "uninitialised", "the last level is not cleared", "k < 256; k += 64) h", "k < 255; k += 64) h"),
    ("a", "barrier", "no barrier after clearing", "h[k] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", "h[k] = 0;"),
    ("a", "atomic", "counted without an atomic", "atomic_inc(&h[x[r * cols + c]])", "h[x[r * cols + c]]++"),
    (
        "a",
        "barrier",
        "no barrier after the scan",
        "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    const",
        "    }\n    const",
    ),
    (
        "a",
        "constant",
        "an image of one level divides by zero",
        "span ? (h[x[r * cols + c]] - low) * 255u / span : x[r * cols + c]",
        "(h[x[r * cols + c]] - low) * 255u / max(span, 1u)",
    ),
    ("a", "shift", "divides by 256 levels", "* 255u / span", "* 256u / (span + 1)"),
]
