"""The element of a given rank in each window of a row, ends repeated; the rank is a scalar."""

import numpy as np

import hotloop as hl

COUNT = """
__kernel void k(__global const short *x, __global short *o, const int n, const int rank) {
    const int i = get_global_id(0);
    if (i >= n) return;
    short w[9];
    for (int j = 0; j < 9; ++j) w[j] = x[clamp(i + j - 4, 0, n - 1)];
    for (int j = 0; j < 9; ++j) {
        int below = 0;
        for (int q = 0; q < 9; ++q) below += w[q] < w[j] || (w[q] == w[j] && q < j);
        if (below == rank) o[i] = w[j];
    }
}
"""
BITS = """
__kernel void k(__global const short *x, __global short *o, const int n, const int rank) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint answer = 0;
    for (int bit = 15; bit >= 0; --bit) {
        const uint probe = answer | 1u << bit;
        int below = 0;
        for (int j = 0; j < 9; ++j) below += ((ushort)x[clamp(i + j - 4, 0, n - 1)] ^ 0x8000u) < probe;
        if (below <= rank) answer = probe;
    }
    o[i] = (short)(answer ^ 0x8000u);
}
"""


@hl.kernel(
    problem=dict(n=4000, rank=3),
    work=lambda p: hl.Work(flops=81 * p.n, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1, rank=0), dict(n=7, rank=8), dict(n=129, rank=4)],
)
class rank:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-20000, 20000, p.n).astype("i2"),
            o=hl.empty(p.n, "i2"),
            n=np.int32(p.n),
            rank=np.int32(p.rank),
        )

    def reference(p, x, o, n, rank):
        wide = np.pad(x, 4, mode="edge")
        return dict(o=np.sort(np.lib.stride_tricks.sliding_window_view(wide, 9), axis=1)[:, p.rank])

    count = hl.OpenCL(COUNT, "k", global_size=lambda p, c: (p.n,))
    bits = hl.OpenCL(BITS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("count", "ties", "equal values share a place", "w[q] < w[j] || (w[q] == w[j] && q < j)", "w[q] < w[j]"),
    (
        "count",
        "edge",
        "the right end is mirrored",
        "w[j] = x[clamp(i + j - 4, 0, n - 1)]",
        "w[j] = x[i + j - 4 < n ? max(i + j - 4, 0) : max(2 * n - 1 - (i + j - 4), 0)]",
    ),
    (
        "bits",
        "sign",
        "values without their sign",
        "(ushort)x[clamp(i + j - 4, 0, n - 1)] ^ 0x8000u",
        "(ushort)abs(x[clamp(i + j - 4, 0, n - 1)]) ^ 0x8000u",
    ),
    (
        "bits",
        "type",
        "the difference in 16 bits decides",
        "((ushort)x[clamp(i + j - 4, 0, n - 1)] ^ 0x8000u) < probe",
        "(short)(x[clamp(i + j - 4, 0, n - 1)] - (short)(probe ^ 0x8000u)) < 0",
    ),
]
