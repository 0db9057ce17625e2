"""Rows exchanged in place by disjoint transpositions, through local memory."""

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void swap(__global float *x, __global const int2 *pair, const int cols) {
    __local float one[32], two[32];
    const int l = get_local_id(0);
    const int2 p = pair[get_group_id(0)];
    for (int from = 0; from < cols; from += 32) {
        const int c = from + 31 - l;
        if (c < cols) { one[31 - l] = x[p.x * cols + c]; two[31 - l] = x[p.y * cols + c]; }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (from + l < cols) { x[p.x * cols + from + l] = two[l]; x[p.y * cols + from + l] = one[l]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(rows=60, cols=100),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=2, cols=1), dict(rows=5, cols=33), dict(rows=8, cols=64)],
    domain=dict(pair="unique", rows="fixed"),
)
class rowperm:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.cols), "f4"),
            pair=rng.permutation(p.rows)[: p.rows // 2 * 2].reshape(-1, 2).astype("i4"),
            cols=p.cols,
        )

    def reference(p, x, pair, cols):
        out = x.astype("f8").copy()
        out[pair[:, 0]], out[pair[:, 1]] = x[pair[:, 1]], x[pair[:, 0]]
        return dict(x=out)

    a = hl.OpenCL(A, "swap", global_size=lambda p, c: (32 * (p.rows // 2),), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "barrier", "no barrier after reading", "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", ""),
    (
        "a",
        "barrier",
        "no barrier before the next stretch",
        "x[p.y * cols + from + l] = one[l]; }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "x[p.y * cols + from + l] = one[l]; }",
    ),
    ("a", "bounds", "the end of the row is not guarded when it is read", "if (c < cols) { one", "{ one"),
    ("a", "bounds", "one element behind the row is written", "if (from + l < cols)", "if (from + l <= cols)"),
    (
        "a",
        "aliasing",
        "the second row twice",
        "x[p.y * cols + from + l] = one[l];",
        "x[p.y * cols + from + l] = x[p.x * cols + from + l];",
    ),
    ("a", "lost-tail", "only whole stretches", "from < cols; from += 32", "from + 31 < cols; from += 32"),
    ("a", "local", "one place too few", "one[32], two[32]", "one[32], two[31]"),
    (
        "a",
        "mirrored",
        "read in the order in which it is not stored",
        "one[31 - l] = x[p.x * cols + c]",
        "one[l] = x[p.x * cols + c]",
    ),
]
