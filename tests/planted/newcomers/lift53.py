"""One level of JPEG 2000's reversible wavelet of rows of up to 128 samples, in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void lf(__global const int *x, __global int *low, __global int *high, const int cols) {
    __local int t[128], d[64];
    const int l = get_local_id(0), r = get_group_id(0), highs = cols / 2, lows = cols - highs;
    for (int k = l; k < cols; k += 64) t[k] = x[r * cols + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < highs) d[l] = t[2 * l + 1] - ((t[2 * l] + t[2 * l + 2 < cols ? 2 * l + 2 : 2 * l]) >> 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < highs) high[r * highs + l] = d[l];
    if (l < lows) {
        const int left = highs ? d[l ? l - 1 : 0] : 0, right = highs ? d[l < highs ? l : highs - 1] : 0;
        low[r * lows + l] = t[2 * l] + (highs ? (left + right + 2) >> 2 : 0);
    }
}
"""


@hl.kernel(
    problem=dict(rows=60, cols=128),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=2), dict(rows=3, cols=65), dict(rows=5, cols=100)],
    domain=dict(cols="fixed", x="range"),
)
class lift53:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-4096, 4096, (p.rows, p.cols), dtype="i4"),
            low=hl.empty((p.rows, p.cols - p.cols // 2), "i4"),
            high=hl.empty((p.rows, p.cols // 2), "i4"),
            cols=p.cols,
        )

    def reference(p, x, low, high, cols):
        t = (
            np.pad(x.astype("i8"), ((0, 0), (2, 2)), mode="reflect")
            if p.cols > 2
            else np.c_[x[:, :1], x[:, 1:], x, x[:, :1], x[:, 1:]].astype("i8")
        )
        even, odd = t[:, ::2], t[:, 1::2]
        d = odd[:, : even.shape[1] - 1] - (
            (even[:, : odd.shape[1]][:, : even.shape[1] - 1] + even[:, 1 : odd.shape[1] + 1]) >> 1
        )
        lows, highs = p.cols - p.cols // 2, p.cols // 2
        if d.shape[1] < lows + 1:
            d = np.c_[d, d[:, highs][:, None]]
        return dict(low=even[:, 1 : lows + 1] + ((d[:, :lows] + d[:, 1 : lows + 1] + 2) >> 2), high=d[:, 1 : highs + 1])

    a = hl.OpenCL(A, "lf", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "bounds", "the sample behind an even row is read", "2 * l + 2 < cols ? 2 * l + 2 : 2 * l", "2 * l + 2"),
    (
        "a",
        "barrier",
        "no barrier before the low half",
        "2 * l]) >> 1);\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "2 * l]) >> 1);",
    ),
    (
        "a",
        "barrier",
        "no barrier after loading",
        "x[r * cols + k];\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "x[r * cols + k];",
    ),
    ("a", "shift", "divided instead of shifted", "2 * l]) >> 1)", "2 * l]) / 2)"),
    ("a", "bounds", "the first low has its left neighbour before the array", "d[l ? l - 1 : 0]", "d[l - 1]"),
    ("a", "rounding", "halves are not rounded", "(left + right + 2) >> 2", "(left + right) >> 2"),
]
