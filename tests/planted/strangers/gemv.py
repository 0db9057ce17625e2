"""y = alpha A x + beta y."""

import numpy as np

import hotloop as hl

ITEM = """
__kernel void gemv(__global const float *a, __global const float *x, __global float *y, const float alpha, const float beta,
                   const int m, const int n) {
    const int i = get_global_id(0);
    if (i >= m) return;
    float sum = 0;
    for (int j = 0; j < n; ++j) sum = fma(a[i * n + j], x[j], sum);
    y[i] = alpha * sum + beta * y[i];
}
"""
GROUP = """
__kernel void gemv(__global const float *a, __global const float *x, __global float *y, const float alpha, const float beta,
                   const int m, const int n) {
    __local float part[WG];
    const int i = get_group_id(0), t = get_local_id(0);
    float sum = 0;
    for (int j = t; j < n; j += WG) sum += a[i * n + j] * x[j];
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) y[i] = fma(alpha, part[0], beta * y[i]);
}
"""


@hl.kernel(
    problem=dict(m=200, n=333),
    work=lambda p: hl.Work(flops=2 * p.m * p.n, bytes=4 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=5, n=63), dict(m=33, n=64)],
    tolerance=hl.Tolerance(terms=lambda p: p.n + 2),
    linear=("a", "y"),
)
class gemv:
    def inputs(p, rng):
        return dict(
            a=rng.standard_normal((p.m, p.n), "f4"), x=rng.standard_normal(p.n, "f4"), y=rng.standard_normal(p.m, "f4"),
            alpha=1.0, beta=1.0, m=np.int32(p.m), n=np.int32(p.n),
        )  # fmt: skip

    def reference(p, a, x, y, alpha, beta, m, n):
        return dict(y=np.float32(alpha) * (a.astype("f8") @ x.astype("f8")) + np.float32(beta) * y.astype("f8"))

    def magnitude(p, a, x, y, alpha, beta, m, n):
        return dict(y=abs(alpha) * (abs(a).astype("f8") @ abs(x).astype("f8")) + abs(beta) * abs(y).astype("f8"))

    item = hl.OpenCL(ITEM, "gemv", global_size=lambda p, c: (p.m,))
    group = hl.OpenCL(
        GROUP, "gemv", dict(WG=[32]), global_size=lambda p, c: (p.m * c.WG,), local_size=lambda p, c: (c.WG,)
    )


MUTANTS = [
    ("item", "scalar", "alpha is dropped", "alpha * sum", "sum"),
    ("item", "scalar", "beta is dropped", "beta * y[i]", "y[i]"),
    ("item", "scalar", "alpha scales all", "alpha * sum + beta * y[i]", "alpha * (sum + beta * y[i])"),
    (
        "group",
        "scalar",
        "alpha and beta are exchanged",
        "fma(alpha, part[0], beta * y[i])",
        "fma(beta, part[0], alpha * y[i])",
    ),
    ("group", "tail", "columns of the last part are lost", "j < n; j += WG", "j < n / WG * WG; j += WG"),
    (
        "group",
        "barrier",
        "no barrier behind the partial sums",
        "part[t] = sum;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "part[t] = sum;",
    ),
]
