"""The least of each row and where it first is, by pairs in local memory."""

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void least(__global const float *x, __global float *v, __global int *at, const int cols) {
    __local float t[32];
    __local int w[32];
    const int l = get_local_id(0), r = get_group_id(0);
    float b = INFINITY;
    int k = INT_MAX;
    for (int c = l; c < cols; c += 32) if (x[r * cols + c] < b) { b = x[r * cols + c]; k = c; }
    t[l] = b; w[l] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 16; h > 0; h >>= 1) {
        if (l < h && (t[l + h] < t[l] || (t[l + h] == t[l] && w[l + h] < w[l]))) { t[l] = t[l + h]; w[l] = w[l + h]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) { v[r] = t[0]; at[r] = w[0]; }
}
"""


@hl.kernel(
    problem=dict(rows=60, cols=130),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=5, cols=20), dict(rows=9, cols=65)],
    domain=dict(x="finite"),
)
class nearestpair:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.cols), "f4"), v=hl.empty(p.rows), at=hl.empty(p.rows, "i4"), cols=p.cols
        )

    def reference(p, x, v, at, cols):
        return dict(v=x.min(1), at=x.argmin(1))

    a = hl.OpenCL(A, "least", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "ties", "of equal ones any", "(t[l + h] == t[l] && w[l + h] < w[l])", "0"),
    (
        "a",
        "barrier",
        "no barrier between steps",
        "w[l] = w[l + h]; }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "w[l] = w[l + h]; }",
    ),
    (
        "a",
        "uninitialised",
        "items beyond the row leave their pair",
        "t[l] = b; w[l] = k;",
        "if (l < cols) { t[l] = b; w[l] = k; }",
    ),
    (
        "a",
        "race",
        "value and place are taken in two steps by two comparisons",
        "{ t[l] = t[l + h]; w[l] = w[l + h]; }\n",
        "t[l] = t[l + h];\n        if (l < h && t[l + h] <= t[l] && w[l + h] < w[l]) w[l] = w[l + h];\n",
    ),
    ("a", "bounds", "the reduction begins with 32", "h = 16; h > 0", "h = 32; h > 0"),
    (
        "a",
        "divergent",
        "half of the items leave after their turn",
        "        if (l < h && (t",
        "        if (l >= 2 * h) break;\n        if (l < h && (t",
    ),
]
