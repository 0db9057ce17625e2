"""Largest and second largest value of each row and how far apart they are, by a tree in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void tg(__global const float *x, __global float *o, const int cols) {
    __local float a[32], b[32];
    const int l = get_local_id(0), r = get_group_id(0);
    float first = -INFINITY, second = -INFINITY;
    for (int c = l; c < cols; c += 32) {
        const float v = x[r * cols + c];
        if (v > first) { second = first; first = v; } else if (v > second) second = v;
    }
    a[l] = first;
    b[l] = second;
    for (int h = 16; h > 0; h >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < h) {
            b[l] = max(min(a[l], a[l + h]), max(b[l], b[l + h]));
            a[l] = max(a[l], a[l + h]);
        }
    }
    if (l == 0) { o[3 * r] = a[0]; o[3 * r + 1] = b[0]; o[3 * r + 2] = b[0] == -INFINITY ? 0 : a[0] - b[0]; }
}
"""


@hl.kernel(
    problem=dict(rows=80, cols=500),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=7, cols=33), dict(rows=40, cols=2)],
    domain=dict(x="finite"),
)
class topgap:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.rows, p.cols), "f4"), o=hl.empty((p.rows, 3), "f4"), cols=p.cols)

    def reference(p, x, o, cols):
        t = np.sort(np.c_[np.full((p.rows, 1), -np.inf), x.astype("f8")], axis=1)
        a, b = t[:, -1], t[:, -2]
        return dict(o=np.stack([a, b, np.where(b == -np.inf, 0, a - np.where(b == -np.inf, 0, b))], 1))

    a = hl.OpenCL(A, "tg", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "ties",
        "an equal value is not the second",
        "else if (v > second) second = v;",
        "else if (v > second && v != first) second = v;",
    ),
    ("a", "start", "the second starts at zero", "second = -INFINITY;", "second = 0;"),
    ("a", "barrier", "no barrier in the tree", "h >>= 1) {\n        barrier(CLK_LOCAL_MEM_FENCE);", "h >>= 1) {"),
    (
        "a",
        "order",
        "the largest is taken before the second",
        "            b[l] = max(min(a[l], a[l + h]), max(b[l], b[l + h]));\n            a[l] = max(a[l], a[l + h]);",
        "            a[l] = max(a[l], a[l + h]);\n            b[l] = max(min(a[l], a[l + h]), max(b[l], b[l + h]));",
    ),
    ("a", "empty", "a row of one value has an infinite gap", "b[0] == -INFINITY ? 0 : a[0] - b[0]", "a[0] - b[0]"),
    (
        "a",
        "tail",
        "the last column of odd rows is not heard",
        "c < cols; c += 32",
        "c < (cols & ~1) + (cols == 1); c += 32",
    ),
]
