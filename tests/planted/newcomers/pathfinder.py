"""The cheapest way down through a grid, row by row."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *x, __global const int *best, __global int *o, const int n) {
    const int j = get_global_id(0);
    if (j >= n) return;
    int v = best[j];
    if (j > 0) v = min(v, best[j - 1]);
    if (j < n - 1) v = min(v, best[j + 1]);
    o[j] = v + x[j];
}
"""
LOCAL = """
__kernel void k(__global const int *x, __global const int *best, __global int *o, const int n) {
    __local int b[66];
    const int j = get_global_id(0), l = get_local_id(0);
    b[l + 1] = j < n ? best[j] : INT_MAX;
    if (l == 0) b[0] = j > 0 ? best[j - 1] : INT_MAX;
    if (l == 63) b[65] = j + 1 < n ? best[j + 1] : INT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < n) o[j] = min(b[l + 1], min(b[l], b[l + 2])) + x[j];
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=3 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=65)],
    domain=dict(x="range", best="range"),
)
class pathfinder:
    def inputs(p, rng):
        q = lambda: rng.integers(-(1 << 29), 1 << 29, p.n, dtype="i4")
        return dict(x=q(), best=q(), o=hl.empty(p.n, "int32"), n=np.int32(p.n))

    def reference(p, x, best, o, n):
        z = np.pad(best.astype("i8"), 1, constant_values=1 << 40)
        return dict(o=np.minimum(z[1:-1], np.minimum(z[:-2], z[2:])) + x)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    local = hl.OpenCL(LOCAL, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "border", "the last is read beyond the end", "if (j < n - 1) v", "if (j < n) v"),
    ("plain", "border", "the first has no left", "if (j > 0)", "if (j > 1)"),
    ("plain", "minimum", "the largest", "v = min(v, best[j - 1])", "v = max(v, best[j - 1])"),
    ("plain", "narrow", "costs of 24 bits", "v + x[j]", "((v + x[j]) << 8) >> 8"),
    ("local", "barrier", "no barrier", "INT_MAX;\n    barrier(CLK_LOCAL_MEM_FENCE);", "INT_MAX;"),
    (
        "local",
        "border",
        "no right neighbour of a group",
        "if (l == 63) b[65] = j + 1 < n ? best[j + 1] : INT_MAX;",
        "if (l == 63) b[65] = INT_MAX;",
    ),
    ("local", "border", "the end counts as zero", "j < n ? best[j] : INT_MAX", "j < n ? best[j] : 0"),
    ("local", "uninitialised", "the left neighbour is not loaded", "if (l == 0) b[0]", "if (l == 1 && j < 0) b[0]"),
]
