"""Running logarithms of sums of exponentials along rows: pairs of a largest value and a sum, scanned by a group for each row."""

import numpy as np

import hotloop as hl

A = """
float2 joined(const float2 a, const float2 b) {
    const float m = fmax(a.x, b.x);
    return m == -INFINITY ? (float2)(m, 0.0f) : (float2)(m, a.y * exp(a.x - m) + b.y * exp(b.x - m));
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void lcse(__global const float *x, __global float *y, const int cols) {
    __local float2 t[64];
    const int l = get_local_id(0), r = get_group_id(0);
    float2 carry = (float2)(-INFINITY, 0.0f);
    for (int first = 0; first < cols; first += 64) {
        const int c = first + l;
        float2 mine = c < cols ? (float2)(x[r * cols + c], 1.0f) : (float2)(-INFINITY, 0.0f);
        t[l] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 64; d *= 2) {
            const float2 left = l >= d ? t[l - d] : (float2)(-INFINITY, 0.0f);
            barrier(CLK_LOCAL_MEM_FENCE);
            mine = joined(left, mine);
            t[l] = mine;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        mine = joined(carry, mine);
        if (c < cols) y[r * cols + c] = mine.x + log(mine.y);
        carry = joined(carry, t[63]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(rows=30, cols=200),
    work=lambda p: hl.Work(flops=30 * p.rows * p.cols, bytes=8 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=65), dict(rows=2, cols=130)],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.cols + 32, absolute=1e-5),
)
class lcse:
    def inputs(p, rng):
        return dict(x=4 * rng.standard_normal((p.rows, p.cols), "f4"), y=hl.empty((p.rows, p.cols)), cols=p.cols)

    def reference(p, x, y, cols):
        return dict(y=np.logaddexp.accumulate(x.astype("f8"), axis=1))

    a = hl.OpenCL(A, "lcse", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "barrier",
        "none between reading and writing",
        "(float2)(-INFINITY, 0.0f);\n            barrier(CLK_LOCAL_MEM_FENCE);",
        "(float2)(-INFINITY, 0.0f);",
    ),
    ("a", "barrier", "none before the next block", "t[63]);\n        barrier(CLK_LOCAL_MEM_FENCE);", "t[63]);"),
    (
        "a",
        "norm",
        "the largest is not taken out",
        "const float m = fmax(a.x, b.x);\n",
        "const float m = fmin(fmax(a.x, b.x), 0.0f);\n",
    ),
    ("a", "lost", "the carry is of the last block only", "carry = joined(carry, t[63]);", "carry = t[63];"),
    ("a", "lost", "one step of the scan too few", "d < 64; d *= 2", "d < 32; d *= 2"),
    ("a", "swap", "the neighbour after", "l >= d ? t[l - d]", "l >= d ? t[l - d + 1]"),
    (
        "a",
        "start",
        "nothing counts as zero",
        "float2 carry = (float2)(-INFINITY, 0.0f);",
        "float2 carry = (float2)(0.0f, 0.0f); if (l < 0) carry.y = 1.0f; carry.y += 1e-3f;",
    ),
]
