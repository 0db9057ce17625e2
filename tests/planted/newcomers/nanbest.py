"""Place of the largest number of each row, NaN left out, the last of equal ones; -1 where there is none."""

import numpy as np

import hotloop as hl

ONE = """
__kernel void k(__global const float *x, __global int *at, const int rows, const int cols) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float best = -INFINITY;
    int place = -1;
    for (int c = 0; c < cols; ++c) {
        const float v = x[r * cols + c];
        if (v >= best) { best = v; place = c; }
    }
    at[r] = place;
}
"""
TREE = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k(__global const float *x, __global int *at, const int rows, const int cols) {
    __local float best[64];
    __local int place[64];
    const int r = get_group_id(0), l = get_local_id(0);
    float own = -INFINITY;
    int mine = -1;
    for (int c = l; c < cols; c += 64) {
        const float v = x[r * cols + c];
        if (v >= own) { own = v; mine = c; }
    }
    best[l] = own;
    place[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s) {
            const float other = best[l + s];
            const int there = place[l + s];
            if (there >= 0 && (place[l] < 0 || other > best[l] || (other == best[l] && there > place[l]))) { best[l] = other; place[l] = there; }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) at[r] = place[0];
}
"""


@hl.kernel(
    problem=dict(rows=60, cols=300),
    work=lambda p: hl.Work(flops=p.rows * p.cols, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=65), dict(rows=7, cols=31)],
    domain=dict(x="nan"),
)
class nanbest:
    def inputs(p, rng):
        x = rng.integers(-40, 40, (p.rows, p.cols)).astype("f4")
        x[rng.random(x.shape) < 0.2] = np.nan
        x[rng.random(p.rows) < 0.1] = np.nan
        return dict(x=x, at=hl.empty(p.rows, "i4"), rows=np.int32(p.rows), cols=np.int32(p.cols))

    def reference(p, x, at, rows, cols):
        flipped = np.where(np.isnan(x), -np.inf, x)[:, ::-1]
        flipped_nan = np.isnan(x)[:, ::-1]
        out = np.empty(p.rows, "i4")
        for r in range(p.rows):
            good = np.flatnonzero(~flipped_nan[r])
            out[r] = -1 if good.size == 0 else p.cols - 1 - good[np.argmax(flipped[r, good])]
        return dict(at=out)

    one = hl.OpenCL(ONE, "k", global_size=lambda p, c: (p.rows,))
    tree = hl.OpenCL(TREE, "k", global_size=lambda p, c: (p.rows * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("one", "ties", "the first of equal ones", "if (v >= best)", "if (v > best || place < 0 && v == best)"),
    ("one", "start", "begins at the least normal number", "float best = -INFINITY", "float best = FLT_MIN"),
    ("one", "infinity", "a row of -inf has none", "if (v >= best)", "if (v > best || (v == best && v > -INFINITY))"),
    (
        "tree",
        "barrier",
        "the first step without a barrier",
        "place[l] = mine;\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "place[l] = mine;",
    ),
    (
        "tree",
        "ties",
        "ties by chance of the tree",
        "(other == best[l] && there > place[l])",
        "(other == best[l] && there < place[l])",
    ),
    (
        "tree",
        "infinity",
        "a half of nothing but -inf counts as empty",
        "there >= 0 && (place",
        "other > -INFINITY && (place",
    ),
]
