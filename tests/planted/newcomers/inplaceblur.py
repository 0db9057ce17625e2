"""Rows of up to 64 numbers smoothed in place by (left + 2 middle + right) / 4, whole numbers, a group for each row."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blur(__global int *x, const int cols) {
    __local int t[66];
    const int l = get_local_id(0), r = get_group_id(0);
    if (l < cols) t[l + 1] = x[r * cols + l];
    if (l == 0) { t[0] = x[r * cols]; t[cols + 1] = x[r * cols + cols - 1]; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < cols) x[r * cols + l] = (t[l] + 2 * t[l + 1] + t[l + 2]) >> 2;
}
"""


@hl.kernel(
    problem=dict(rows=80, cols=64),
    work=lambda p: hl.Work(flops=0, bytes=4 * 2 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=33), dict(rows=7, cols=63)],
    domain=dict(cols="fixed"),
)
class inplaceblur:
    def inputs(p, rng):
        return dict(x=rng.integers(-100000, 100000, (p.rows, p.cols), dtype="i4"), cols=p.cols)

    def reference(p, x, cols):
        q = np.pad(x.astype("i8"), ((0, 0), (1, 1)), "edge")
        return dict(x=(q[:, :-2] + 2 * q[:, 1:-1] + q[:, 2:]) >> 2)

    a = hl.OpenCL(A, "blur", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "barrier", "no barrier", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("a", "aliasing", "the left neighbour is read in place", "(t[l] + 2", "((l ? x[r * cols + l - 1] : t[l]) + 2"),
    (
        "a",
        "aliasing",
        "the right neighbour is read in place",
        "+ t[l + 2])",
        "+ (l < cols - 1 ? x[r * cols + l + 1] : t[l + 2]))",
    ),
    (
        "a",
        "race",
        "both ends are set by the last item, the right one by the first, too, before its own",
        "t[cols + 1] = x[r * cols + cols - 1]; }",
        "t[cols] = x[r * cols + cols - 1]; t[cols + 1] = t[cols]; }",
    ),
    ("a", "uninitialised", "the right border is not set", "t[cols + 1] = x[r * cols + cols - 1]; }", "}"),
    ("a", "shift", "divided instead of shifted", ">> 2", "/ 4"),
]
