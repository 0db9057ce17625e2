"""Sparse rows in slices of eight (SELL): y = alpha A x + beta y, where beta 0 means that y is not read."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void sell(__global const int *start, __global const int *len, __global const int *col, __global const float *val,
          __global const float *x, __global float *y, const float alpha, const float beta, const int rows) {
    __local float part[8];
    const int s = get_group_id(0), l = get_local_id(0), row = 8 * s + l;
    float sum = 0.0f;
    const int from = start[s], to = start[s + 1];
    for (int at = from + l, k = 0; at < to; at += 8, ++k)
        if (row < rows && k < len[row]) sum = fma(val[at], x[col[at]], sum);
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row < rows) {
        const float got = alpha * part[l];
        y[row] = beta == 0.0f ? got : got + beta * y[row];
    }
}
"""


@hl.kernel(
    problem=dict(rows=1003, cols=700),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=8, cols=5), dict(rows=17, cols=40)],
    tolerance=hl.Tolerance(terms=40),
    linear=("val", "x"),
)
class sellc:
    def inputs(p, rng):
        slices = -(-p.rows // 8)
        length = rng.integers(0, min(p.cols, 24) + 1, p.rows)
        padded = np.zeros(slices * 8, "i4")
        padded[: p.rows] = length
        wide = padded.reshape(slices, 8).max(1)
        start = np.concatenate([[0], np.cumsum(8 * wide)]).astype("i4")
        size = max(1, int(start[-1]))
        col = np.zeros(size, "i4")
        val = np.full(size, np.nan, "f4")
        for s in range(slices):
            for lane in range(8):
                row = 8 * s + lane
                if row < p.rows:
                    at = start[s] + lane + 8 * np.arange(length[row])
                    col[at] = rng.choice(p.cols, length[row], replace=False)
                    val[at] = rng.standard_normal(length[row], "f4")
        return dict(
            start=start, len=length.astype("i4"), col=col, val=val, x=rng.standard_normal(p.cols, "f4"),
            y=rng.standard_normal(p.rows, "f4"), alpha=float(rng.choice([1.0, 0.5, -2.0])), beta=float(rng.choice([0.0, 1.0, 0.75])), rows=p.rows,
        )  # fmt: skip

    def reference(p, start, len, col, val, x, y, alpha, beta, rows):  # noqa: A002
        out = np.zeros(p.rows)
        for row in range(p.rows):
            at = start[row // 8] + row % 8 + 8 * np.arange(len[row])
            out[row] = (val[at].astype("f8") * x[col[at]]).sum()
        return dict(y=alpha * out + (0 if beta == 0 else beta * y.astype("f8")))

    a = hl.OpenCL(A, "sell", global_size=lambda p, c: (8 * -(-p.rows // 8),), local_size=lambda p, c: (8,))


MUTANTS = [
    (
        "a",
        "reads-c",
        "y is read although beta is zero",
        "beta == 0.0f ? got : got + beta * y[row]",
        "got + beta * y[row]",
    ),
    ("a", "beta", "beta is taken for one", "got + beta * y[row]", "got + y[row]"),
    ("a", "alpha", "alpha scales the old result, too", "got + beta * y[row]", "alpha * (part[l] + beta * y[row])"),
    ("a", "bounds", "the padding is summed", "if (row < rows && k < len[row]) ", "if (row < rows) "),
    (
        "a",
        "zeroed",
        "the padding is multiplied by zero",
        "if (row < rows && k < len[row]) sum = fma(val[at], x[col[at]], sum);",
        "if (row < rows) sum = fma(k < len[row] ? 1.0f : 0.0f, val[at] * x[col[at]], sum);",
    ),
    (
        "a",
        "bounds",
        "lengths of rows that are not there are read",
        "if (row < rows && k < len[row]) ",
        "if (k < len[row]) ",
    ),
    ("a", "lost-tail", "the last entry of a row is left out", "k < len[row]) sum", "k + 1 < len[row]) sum"),
    ("a", "index", "the column before", "x[col[at]]", "x[max(col[at] - 1, 0)]"),
    ("a", "overrun", "rows that are not there are stored", "    if (row < rows) {\n", "    if (row <= rows) {\n"),
]
