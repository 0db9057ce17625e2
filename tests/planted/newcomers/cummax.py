"""Running maxima of rows, in integers."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *x, __global int *o, const int n, const int m) {
    const int r = get_global_id(0);
    if (r >= n) return;
    int top = INT_MIN;
    for (int j = 0; j < m; ++j) { top = max(top, x[r * m + j]); o[r * m + j] = top; }
}
"""
STEPS = """
__kernel void k(__global const int *x, __global int *o, const int n, const int m) {
    __local int v[2][64];
    const int r = get_group_id(0), l = get_local_id(0);
    int before = INT_MIN;
    for (int base = 0; base < m; base += 64) {
        v[0][l] = base + l < m ? x[r * m + base + l] : INT_MIN;
        int now = 0;
        for (int d = 1; d < 64; d *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            v[1 - now][l] = l >= d ? max(v[now][l], v[now][l - d]) : v[now][l];
            now = 1 - now;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (base + l < m) o[r * m + base + l] = max(before, v[now][l]);
        before = max(before, v[now][63]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(n=60, m=200),
    work=lambda p: hl.Work(flops=p.n * p.m, bytes=8 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=5, m=65), dict(n=9, m=128)],
)
class cummax:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-(1 << 31), 1 << 31, (p.n, p.m), dtype="i8").astype("i4"),
            o=hl.empty((p.n, p.m), "int32"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, x, o, n, m):
        return dict(o=np.maximum.accumulate(x, axis=1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    steps = hl.OpenCL(STEPS, "k", global_size=lambda p, c: (64 * p.n,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("plain", "start", "starts at zero", "int top = INT_MIN", "int top = 0"),
    ("plain", "start", "starts at -2^30", "int top = INT_MIN", "int top = -(1 << 30)"),
    (
        "plain",
        "order",
        "written before",
        "{ top = max(top, x[r * m + j]); o[r * m + j] = top; }",
        "{ o[r * m + j] = top; top = max(top, x[r * m + j]); }",
    ),
    ("plain", "index", "begins with the row before", "int top = INT_MIN", "int top = r > 0 ? x[r * m - 1] : INT_MIN"),
    (
        "steps",
        "barrier",
        "no barrier between steps",
        "{\n            barrier(CLK_LOCAL_MEM_FENCE);\n            v[1",
        "{\n            v[1",
    ),
    ("steps", "bounds", "one short", "l >= d ?", "l > d ?"),
    (
        "steps",
        "carry",
        "what was before is the last part only",
        "before = max(before, v[now][63])",
        "before = v[now][63]",
    ),
    (
        "steps",
        "carry",
        "the carry of the element before",
        "before = max(before, v[now][63])",
        "before = max(before, v[now][62])",
    ),
    ("steps", "steps", "too few", "d < 64; d *= 2", "d < 32; d *= 2"),
    (
        "steps",
        "barrier",
        "no barrier before the next part",
        "v[now][63]);\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "v[now][63]);",
    ),
]
