"""Columns of small matrices reflected so that only their first element is left: Householder's vector, its factor, and what stays."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void reflect(__global const float *x, __global float *v, __global float *tau, __global float *beta, const int rows) {
    __local float part[32];
    const int l = get_local_id(0), c = get_group_id(0);
    float sum = 0.0f;
    for (int k = 1 + l; k < rows; k += 32) { const float e = x[c * rows + k]; sum = fma(e, e, sum); }
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = 16; span > 0; span /= 2) {
        if (l < span) part[l] += part[l + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float below = part[0], first = x[c * rows];
    const float b = below == 0.0f ? first : -copysign(sqrt(fma(first, first, below)), first);
    const float scale = below == 0.0f ? 0.0f : 1.0f / (first - b);
    for (int k = 1 + l; k < rows; k += 32) v[c * rows + k] = x[c * rows + k] * scale;
    if (l == 0) {
        v[c * rows] = 1.0f;
        tau[c] = below == 0.0f ? 0.0f : (b - first) / b;
        beta[c] = b;
    }
}
"""


@hl.kernel(
    problem=dict(cols=100, rows=90),
    work=lambda p: hl.Work(flops=3 * p.cols * p.rows, bytes=8 * p.cols * p.rows),
    awkward=lambda p: [dict(cols=1, rows=1), dict(cols=3, rows=2), dict(cols=5, rows=34)],
    tolerance=hl.Tolerance(terms=lambda p: p.rows + 16),
)
class reflect:
    def inputs(p, rng):
        x = rng.standard_normal((p.cols, p.rows), "f4")
        x[rng.random(p.cols) < 0.1, 1:] = 0
        return dict(x=x, v=hl.empty((p.cols, p.rows)), tau=hl.empty(p.cols), beta=hl.empty(p.cols), rows=p.rows)

    def reference(p, x, v, tau, beta, rows):
        w = x.astype("f8")
        first, below = w[:, 0], (w[:, 1:] ** 2).sum(1)
        none = below == 0
        b = np.where(none, first, -np.copysign(np.sqrt(first**2 + below), first))
        with np.errstate(all="ignore"):
            made = np.where(none[:, None], 0, w / (first - b)[:, None])
            t = np.where(none, 0, (b - first) / b)
        made[:, 0] = 1
        return dict(v=made, tau=t, beta=b)

    a = hl.OpenCL(A, "reflect", global_size=lambda p, c: (32 * p.cols,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "sign", "the sign that cancels", "-copysign(sqrt", "copysign(sqrt"),
    (
        "a",
        "zero",
        "columns that are done are divided by zero",
        "below == 0.0f ? 0.0f : (b - first) / b",
        "(b - first) / b",
    ),
    (
        "a",
        "barrier",
        "none between halves",
        "part[l + span];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "part[l + span];",
    ),
    ("a", "barrier", "none before the tree", "part[l] = sum;\n    barrier(CLK_LOCAL_MEM_FENCE);", "part[l] = sum;"),
    (
        "a",
        "lost",
        "the first counts twice",
        "for (int k = 1 + l; k < rows; k += 32) { const",
        "for (int k = l; k < rows; k += 32) { const",
    ),
    (
        "a",
        "lost",
        "the first of the vector is not written",
        "v[c * rows] = 1.0f;",
        "v[c * rows] = x[c * rows] * scale;",
    ),
    ("a", "lost", "the tree ends early", "span > 0; span /= 2", "span > 1; span /= 2"),
]
