"""Euclidean norms of rows of any size of number: neither squares that overflow nor such that vanish spoil them."""

import numpy as np

import hotloop as hl

A = """
#define WG 64
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void nrm2(__global const float *x, __global float *norm, const int cols) {
    __local float part[WG];
    const int row = get_group_id(0), l = get_local_id(0);
    __global const float *r = x + (size_t)row * cols;
    float big = 0.0f;
    for (int i = l; i < cols; i += WG) big = fmax(big, fabs(r[i]));
    part[l] = big;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (l < s) part[l] = fmax(part[l], part[l + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    big = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float scale = big > 0.0f && !isinf(big) ? big : 1.0f;
    float sum = 0.0f;
    for (int i = l; i < cols; i += WG) {
        const float v = r[i] / scale;
        sum = fma(v, v, sum);
    }
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = WG / 2; s > 0; s >>= 1) {
        if (l < s) part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) norm[row] = scale * sqrt(part[0]);
}
"""


@hl.kernel(
    problem=dict(rows=120, cols=1000),
    work=lambda p: hl.Work(flops=2 * p.rows * p.cols, bytes=4 * p.rows * (p.cols + 1)),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=63), dict(rows=5, cols=257)],
    tolerance=hl.Tolerance(terms=lambda p: p.cols),
    domain=dict(x="any"),
)
class nrm2:
    def inputs(p, rng):
        power = rng.choice([1e-30, 1.0, 1e25], (p.rows, 1))
        return dict(x=(power * rng.standard_normal((p.rows, p.cols))).astype("f4"), norm=hl.empty(p.rows), cols=p.cols)

    def reference(p, x, norm, cols):
        return dict(norm=np.sqrt((x.astype("f8") ** 2).sum(1)))

    a = hl.OpenCL(A, "nrm2", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "overflow",
        "nothing is scaled",
        "const float scale = big > 0.0f && !isinf(big) ? big : 1.0f;",
        "const float scale = 1.0f;",
    ),
    ("a", "nan", "rows with an infinity give NaN", "big > 0.0f && !isinf(big) ? big", "big > 0.0f ? big"),
    ("a", "nan", "rows of zeros give NaN", "big > 0.0f && !isinf(big) ? big", "!isinf(big) ? big"),
    (
        "a",
        "barrier",
        "the largest is read while sums are stored",
        "    big = part[0];\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
        "    big = part[0];\n",
    ),
    (
        "a",
        "barrier",
        "no barrier before the sums are added",
        "    part[l] = sum;\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
        "    part[l] = sum;\n",
    ),
    (
        "a",
        "reduction",
        "the last step of the sums is missing",
        "part[l] += part[l + s]",
        "part[l] += s > 1 ? part[l + s] : 0.0f",
    ),
    (
        "a",
        "lost-tail",
        "squares of whole rounds only",
        "    for (int i = l; i < cols; i += WG) {\n",
        "    for (int i = l; i < max(cols / WG * WG, 1); i += WG) {\n",
    ),
    ("a", "nan", "a NaN is left out", "sum = fma(v, v, sum);", "if (v * v >= 0.0f) sum = fma(v, v, sum);"),
    ("a", "subnormal", "rows of very small numbers count as zero", "big > 0.0f && ", "big > 1e-35f && "),
]
