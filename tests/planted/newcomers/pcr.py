"""Tridiagonal systems of 32 unknowns by parallel cyclic reduction, a group for each."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void pcr(__global const float *a, __global const float *b, __global const float *c, __global const float *d, __global float *x) {
    __local float p[32], q[32], r[32], s[32];
    const int l = get_local_id(0), i = get_global_id(0);
    p[l] = l > 0 ? a[i] : 0.0f; q[l] = b[i]; r[l] = l < 31 ? c[i] : 0.0f; s[l] = d[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 1; h < 32; h <<= 1) {
        const int lo = max(l - h, 0), hi = min(l + h, 31);
        const float u = l - h >= 0 ? -p[l] / q[lo] : 0.0f, v = l + h < 32 ? -r[l] / q[hi] : 0.0f;
        const float np = u * p[lo], nq = q[l] + u * r[lo] + v * p[hi], nr = v * r[hi], ns = s[l] + u * s[lo] + v * s[hi];
        barrier(CLK_LOCAL_MEM_FENCE);
        p[l] = np; q[l] = nq; r[l] = nr; s[l] = ns;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[i] = s[l] / q[l];
}
"""


@hl.kernel(
    problem=dict(n=50),
    work=lambda p: hl.Work(flops=0, bytes=4 * 128 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=5), dict(n=13)],
    tolerance=hl.Tolerance(terms=400, absolute=1e-5),
    domain=dict(a="range", b="range", c="range"),
)
class pcr:
    def inputs(p, rng):
        return dict(
            a=rng.uniform(-1, 1, (p.n, 32)).astype("f4"),
            b=rng.uniform(3, 4, (p.n, 32)).astype("f4"),
            c=rng.uniform(-1, 1, (p.n, 32)).astype("f4"),
            d=rng.standard_normal((p.n, 32), "f4"),
            x=hl.empty((p.n, 32)),
        )

    def reference(p, a, b, c, d, x):
        m = np.zeros((p.n, 32, 32))
        k = np.arange(32)
        m[:, k, k] = b
        m[:, k[1:], k[:-1]] = a[:, 1:]
        m[:, k[:-1], k[1:]] = c[:, :-1]
        return dict(x=np.linalg.solve(m, d.astype("f8")[..., None])[..., 0])

    a = hl.OpenCL(A, "pcr", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier before what was read is overwritten",
        "v * s[hi];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "v * s[hi];",
    ),
    ("a", "barrier", "no barrier between steps", "s[l] = ns;\n        barrier(CLK_LOCAL_MEM_FENCE);", "s[l] = ns;"),
    ("a", "barrier", "no barrier after loading", "s[l] = d[i];\n    barrier(CLK_LOCAL_MEM_FENCE);", "s[l] = d[i];"),
    ("a", "bounds", "the left neighbour is not clamped", "lo = max(l - h, 0)", "lo = l - h"),
    ("a", "bounds", "the right neighbour is not clamped", "hi = min(l + h, 31)", "hi = l + h"),
]
