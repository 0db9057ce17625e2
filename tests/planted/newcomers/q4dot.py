"""Dot products of rows of blocks of 32: four bits with a scale and a least value, times eight bits with a scale."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void dot(__global const uchar *q, __global const float *d, __global const float *m, __global const char *p, __global const float *e,
         __global float *o, const int blocks) {
    __local float sum[16];
    const int l = get_local_id(0), r = get_group_id(0);
    float got = 0.0f;
    for (int b = l; b < blocks; b += 16) {
        const int at = r * blocks + b;
        int low = 0, all = 0;
        for (int j = 0; j < 16; ++j) {
            const int byte = q[16 * at + j], first = p[32 * b + j], second = p[32 * b + j + 16];
            low += (byte & 15) * first + (byte >> 4) * second;
            all += first + second;
        }
        got += e[b] * (d[at] * low + m[at] * all);
    }
    sum[l] = got;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 8; h > 0; h /= 2) {
        if (l < h) sum[l] += sum[l + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[r] = sum[0];
}
"""


@hl.kernel(
    problem=dict(rows=70, blocks=21),
    work=lambda p: hl.Work(flops=0, bytes=24 * p.rows * p.blocks),
    awkward=lambda p: [dict(rows=1, blocks=1), dict(rows=3, blocks=17), dict(rows=2, blocks=40)],
    tolerance=hl.Tolerance(terms=lambda p: p.blocks + 4),
    linear=("d", "m", "e"),
)
class q4dot:
    def inputs(p, rng):
        return dict(
            q=rng.integers(0, 256, (p.rows, p.blocks, 16), dtype="u1"), d=rng.standard_normal((p.rows, p.blocks), "f4"), m=rng.standard_normal((p.rows, p.blocks), "f4"),
            p=rng.integers(-128, 128, (p.blocks, 32), dtype="i1"), e=rng.random(p.blocks, "f4"), o=hl.empty(p.rows), blocks=p.blocks,
        )  # fmt: skip

    def reference(s, q, d, m, p, e, o, blocks):
        both = np.concatenate([q & 15, q >> 4], -1).astype("f8")
        v = p.astype("f8")
        return dict(o=(e * (d.astype("f8") * (both * v).sum(-1) + m.astype("f8") * v.sum(-1))).sum(-1))

    def magnitude(s, q, d, m, p, e, o, blocks):
        both = np.concatenate([q & 15, q >> 4], -1).astype("f8")
        v = np.abs(p.astype("f8"))
        return dict(
            o=(np.abs(e) * (np.abs(d.astype("f8")) * (both * v).sum(-1) + np.abs(m.astype("f8")) * v.sum(-1))).sum(-1)
        )

    a = hl.OpenCL(A, "dot", global_size=lambda p, c: (16 * p.rows,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("a", "sign", "the upper half is taken for signed", "(byte >> 4) * second", "((char)byte >> 4) * second"),
    (
        "a",
        "index",
        "neighbours instead of halves",
        "first = p[32 * b + j], second = p[32 * b + j + 16]",
        "first = p[32 * b + 2 * j], second = p[32 * b + 2 * j + 1]",
    ),
    ("a", "narrow", "sums of 16 bits", "int low = 0, all = 0;", "short low = 0, all = 0;"),
    ("a", "narrow", "sums of the second in eight bits", "int low = 0, all = 0;", "int low = 0; char all = 0;"),
    ("a", "scalar", "the least value counts once a block", "m[at] * all", "m[at]"),
    (
        "a",
        "barrier",
        "no barrier in the tree",
        "sum[l] += sum[l + h];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "sum[l] += sum[l + h];",
    ),
    ("a", "barrier", "no barrier before the tree", "sum[l] = got;\n    barrier(CLK_LOCAL_MEM_FENCE);", "sum[l] = got;"),
    (
        "a",
        "uninitialised",
        "items without a block leave their place",
        "    sum[l] = got;\n",
        "    if (l < blocks) sum[l] = got;\n",
    ),
    (
        "a",
        "bounds",
        "the tree takes one from behind",
        "if (l < h) sum[l] += sum[l + h];",
        "if (l <= h) sum[l] += sum[l + h];",
    ),
]
