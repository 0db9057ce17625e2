"""Products of a row with itself some places on, all delays up to a largest."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const float *x, __global float *o, const int n, const int d) {
    int q = get_global_id(0);
    if (q >= d) return;
    float s = 0;
    for (int j = 0; j < n - q; ++j) s += x[j] * x[j + q];
    o[q] = s;
}
"""
B = """
__kernel void k(__global const float *x, __global float *o, const int n, const int d) {
    __local float part[64];
    int q = get_group_id(0), t = get_local_id(0);
    float s = 0;
    for (int j = t; j + q < n; j += 64) s = fma(x[j], x[j + q], s);
    part[t] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 32; h; h >>= 1) { if (t < h) part[t] += part[t + h]; barrier(CLK_LOCAL_MEM_FENCE); }
    if (!t) o[q] = part[0];
}
"""


@hl.kernel(
    problem=dict(n=2000, d=40),
    work=lambda p: hl.Work(flops=2 * p.n * p.d, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1, d=1), dict(n=33, d=33), dict(n=100, d=7)],
    tolerance=hl.Tolerance(terms=lambda p: p.n),
)
class autocorr:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(p.n, dtype="f4"), o=hl.empty(p.d), n=p.n, d=p.d)

    def reference(p, x, o, n, d):
        v = x.astype("f8")
        return dict(o=np.array([v[: max(n - q, 0)] @ v[q:] if q < n else 0.0 for q in range(d)]))

    def magnitude(p, x, o, n, d):
        v = np.abs(x.astype("f8"))
        return dict(o=np.array([v[: max(n - q, 0)] @ v[q:] if q < n else 0.0 for q in range(d)]))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.d,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.d * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "bounds", "the end is not kept", "j < n - q", "j < n"),
    ("a", "limit", "the last product is left", "j < n - q", "j < n - q - 1"),
    ("a", "index", "a delay too many", "x[j + q]", "x[j + q + (j + q + 1 < n)]"),
    (
        "a",
        "float",
        "products cut to 16 bits",
        "s += x[j] * x[j + q]",
        "s += as_float(as_uint(x[j] * x[j + q]) & 0xffff0000u)",
    ),
    (
        "b",
        "race",
        "no barrier behind the parts",
        "    part[t] = s;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "    part[t] = s;",
    ),
    ("b", "loop", "half of the parts", "int h = 32", "int h = 16"),
    ("b", "poison", "sums start anywhere", "float s = 0;", "float s;"),
]
