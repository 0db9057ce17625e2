"""A block-sparse matrix (4 x 4 blocks, some rows of blocks empty) times a dense one, row by row."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *ptr, __global const int *idx, __global const float *v, __global const float *b,
                __global float *o, const int rows, const int cols) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= cols || r >= 4 * rows) return;
    float sum = 0;
    for (int e = ptr[r / 4]; e < ptr[r / 4 + 1]; ++e)
        for (int j = 0; j < 4; ++j) sum = fma(v[16 * e + 4 * (r % 4) + j], b[(4 * idx[e] + j) * cols + c], sum);
    o[r * cols + c] = sum;
}
"""
STAGED = """
__kernel void k(__global const int *ptr, __global const int *idx, __global const float *v, __global const float *b,
                __global float *o, const int rows, const int cols) {
    __local float block[16];
    const int l = get_local_id(0), g = get_group_id(0), c = get_group_id(1) * 16 + l;
    float sum[4] = {0, 0, 0, 0};
    for (int e = ptr[g]; e < ptr[g + 1]; ++e) {
        block[l] = v[16 * e + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c < cols)
            for (int j = 0; j < 4; ++j) {
                const float x = b[(4 * idx[e] + j) * cols + c];
                for (int i = 0; i < 4; ++i) sum[i] = fma(block[4 * i + j], x, sum[i]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (c < cols)
        for (int i = 0; i < 4; ++i) o[(4 * g + i) * cols + c] = sum[i];
}
"""


def dense(p, ptr, idx, v):
    a = np.zeros((4 * p.rows, 4 * p.inner))
    for r in range(p.rows):
        for e in range(ptr[r], ptr[r + 1]):
            a[4 * r : 4 * r + 4, 4 * idx[e] : 4 * idx[e] + 4] += v[16 * e : 16 * e + 16].reshape(4, 4)
    return a


@hl.kernel(
    problem=dict(rows=40, inner=30, cols=50),
    work=lambda p: hl.Work(
        flops=2 * 16 * 4 * p.rows * p.cols, bytes=4 * (16 * p.inner * p.cols + 16 * p.rows * p.cols)
    ),
    awkward=lambda p: [dict(rows=1, inner=1, cols=1), dict(rows=3, inner=5, cols=17), dict(rows=8, inner=2, cols=33)],
    domain=dict(idx="indices"),
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.inner),
)
class bsrmm:
    def inputs(p, rng):
        there = rng.random((p.rows, p.inner)) < 0.2
        there[::3] = False
        there[0, 0] = True
        ptr = np.concatenate([[0], np.cumsum(there.sum(1))]).astype("i4")
        idx = np.nonzero(there)[1].astype("i4")
        return dict(
            ptr=ptr,
            idx=idx,
            v=rng.standard_normal(16 * len(idx)).astype("f4"),
            b=rng.standard_normal((4 * p.inner, p.cols)).astype("f4"),
            o=hl.empty((4 * p.rows, p.cols)),
            rows=np.int32(p.rows),
            cols=np.int32(p.cols),
        )

    def reference(p, ptr, idx, v, b, o, rows, cols):
        return dict(o=dense(p, ptr, idx, v.astype("f8")) @ b.astype("f8"))

    def magnitude(p, ptr, idx, v, b, o, rows, cols):
        return dict(o=dense(p, ptr, idx, np.abs(v.astype("f8"))) @ np.abs(b.astype("f8")))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.cols, 4 * p.rows))
    staged = hl.OpenCL(
        STAGED, "k", global_size=lambda p, c: (16 * p.rows, -(-p.cols // 16)), local_size=lambda p, c: (16, 1)
    )


MUTANTS = [
    ("plain", "swap", "blocks are transposed", "4 * (r % 4) + j", "4 * j + (r % 4)"),
    (
        "plain",
        "empty",
        "empty rows are left as they are",
        "o[r * cols + c] = sum;",
        "if (ptr[r / 4] < ptr[r / 4 + 1]) o[r * cols + c] = sum;",
    ),
    ("staged", "barrier", "no barrier before the next block", "        barrier(CLK_LOCAL_MEM_FENCE);\n    }", "    }"),
    (
        "staged",
        "tail",
        "the last tile of columns reads on",
        "if (c < cols)\n            for (int j",
        "if (c < cols + 1)\n            for (int j",
    ),
]
