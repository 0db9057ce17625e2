"""Minimizers: of every window of w successive k-mers of a read the place of the one with the least hash, the leftmost of equal ones."""

import numpy as np

import hotloop as hl

A = """
#define WG 128
#define MOSTW 32
uint mix32(uint h) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}
__kernel void minimizers(__global const uchar *base, __global int *o, const int n, const int k, const int w) {
    __local uint hash[WG + MOSTW];
    const int windows = n - k - w + 2, t = get_local_id(0), first = get_group_id(0) * WG;
    for (int i = t; i < WG + w - 1; i += WG) {
        uint key = 0;
        if (first + i + k <= n)
            for (int j = 0; j < k; ++j) key = key << 2 | base[first + i + j];
        hash[i] = mix32(key);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + t >= windows) return;
    int best = 0;
    for (int j = 1; j < w; ++j)
        if (hash[t + j] < hash[t + best]) best = j;
    o[first + t] = first + t + best;
}
"""


@hl.kernel(
    problem=dict(n=4000, k=11, w=10),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.n),
    awkward=lambda p: [dict(n=40, k=15, w=5), dict(n=200, k=1, w=7), dict(n=1000, k=3, w=31), dict(n=150, k=4, w=1)],
    domain=dict(k="fixed", w="fixed", base="range"),
)
class minimizer:
    def inputs(p, rng):
        return dict(
            base=rng.integers(0, 4, p.n).astype("u1"), o=hl.empty(p.n - p.k - p.w + 2, "i4"), n=p.n, k=p.k, w=p.w
        )

    def reference(p, base, o, n, k, w):
        key = np.zeros(n - k + 1, "u8")
        for j in range(k):
            key = key << np.uint64(2) | base[j : n - k + 1 + j].astype("u8")
        h = key & np.uint64(0xFFFFFFFF)
        h ^= h >> np.uint64(16)
        h = h * np.uint64(0x7FEB352D) & np.uint64(0xFFFFFFFF)
        h ^= h >> np.uint64(15)
        h = h * np.uint64(0x846CA68B) & np.uint64(0xFFFFFFFF)
        h ^= h >> np.uint64(16)
        rows = np.lib.stride_tricks.sliding_window_view(h, w)
        return dict(o=np.arange(len(rows)) + rows.argmin(axis=1))

    a = hl.OpenCL(
        A,
        "minimizers",
        global_size=lambda p, c: (-(-(p.n - p.k - p.w + 2) // 128) * 128,),
        local_size=lambda p, c: (128,),
    )


MUTANTS = [
    ("a", "tie", "the rightmost of equal ones", "hash[t + j] < hash[t + best]", "hash[t + j] <= hash[t + best]"),
    ("a", "sign", "hashes as signed numbers", "hash[t + j] < hash[t + best]", "(int)hash[t + j] < (int)hash[t + best]"),
    ("a", "bounds", "one hash of the border is missing", "i < WG + w - 1;", "i < WG + w - 2;"),
    ("a", "barrier", "no barrier after the hashes", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("a", "bounds", "the last k-mer is not hashed", "first + i + k <= n", "first + i + k < n"),
    ("a", "tail", "the last k-mer of a window is left", "j = 1; j < w;", "j = 1; j < w - 1;"),
    ("a", "result", "places count from the group", "= first + t + best", "= t + best"),
]
