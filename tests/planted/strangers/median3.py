"""Median of each element and its two neighbours; ends stay."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void median(__global const float *x, __global float *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    if (i == 0 || i == n - 1) { y[i] = x[i]; return; }
    const float a = x[i - 1], b = x[i], c = x[i + 1];
    y[i] = fmax(fmin(a, b), fmin(fmax(a, b), c));
}
"""
TILE = """
__kernel void median(__global const float *x, __global float *y, const int n) {
    __local float a[WG + 2];
    const int t = get_local_id(0), i = get_global_id(0);
    a[t + 1] = x[min(i, n - 1)];
    if (t == 0) a[0] = x[max(i - 1, 0)];
    if (t == WG - 1) a[WG + 1] = x[min(i + 1, n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    const float p = a[t], q = a[t + 1], r = a[t + 2];
    y[i] = i == 0 || i == n - 1 ? q : p > q ? (q > r ? q : fmin(p, r)) : (p > r ? p : fmin(q, r));
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=129)],
)
class median3:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        out = x.astype("f8")
        if p.n > 2:
            out[1:-1] = np.median(np.stack([x[:-2], x[1:-1], x[2:]]), axis=0)
        return dict(y=out)

    plain = hl.OpenCL(PLAIN, "median", global_size=lambda p, c: (p.n,))
    tile = hl.OpenCL(
        TILE, "median", dict(WG=[64]), global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,)
    )


MUTANTS = [
    ("plain", "middle", "the larger of two", "fmin(fmax(a, b), c)", "fmax(fmin(a, b), c)"),
    (
        "plain",
        "edge",
        "the last element is zero",
        "i == n - 1) { y[i] = x[i]; return; }",
        "i == n - 1) { y[i] = i ? 0.0f : x[i]; return; }",
    ),
    (
        "plain",
        "equal",
        "equal neighbours give the other one",
        "y[i] = fmax(fmin(a, b), fmin(fmax(a, b), c));",
        "y[i] = a == c ? b : fmax(fmin(a, b), fmin(fmax(a, b), c));",
    ),
    ("tile", "halo", "the left halo is the own element", "x[max(i - 1, 0)]", "x[max(i, 0) < n ? i : 0]"),
    ("tile", "halo", "the right halo is not loaded", "if (t == WG - 1) a[WG + 1] = x[min(i + 1, n - 1)];", ""),
    ("tile", "barrier", "no barrier", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
]
