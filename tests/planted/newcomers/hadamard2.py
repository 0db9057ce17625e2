"""Hadamard transforms of 8 x 8 blocks of whole numbers, rows and then columns in the same local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void had(__global const int *x, __global int *y) {
    __local int t[64];
    const int l = get_local_id(0), base = get_group_id(0) * 64;
    t[l] = x[base + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 1; h < 64; h <<= 1) {
        const int a = t[l & ~h], b = t[l | h];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = l & h ? a - b : a + b;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[base + l] = t[l];
}
"""


@hl.kernel(
    problem=dict(n=70),
    work=lambda p: hl.Work(flops=0, bytes=4 * 128 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=5), dict(n=12)],
)
class hadamard2:
    def inputs(p, rng):
        return dict(x=rng.integers(-1000, 1000, (p.n, 64), dtype="i4"), y=hl.empty((p.n, 64), "i4"))

    def reference(p, x, y):
        h = np.ones((1, 1), "i8")
        for _ in range(6):
            h = np.block([[h, h], [h, -h]])
        return dict(y=x.astype("i8") @ h)

    a = hl.OpenCL(A, "had", global_size=lambda p, c: (64 * p.n,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier before what was read is overwritten",
        "b = t[l | h];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "b = t[l | h];",
    ),
    ("a", "barrier", "no barrier at the end of a step", "a + b;\n        barrier(CLK_LOCAL_MEM_FENCE);", "a + b;"),
    (
        "a",
        "barrier",
        "the wrong fence before what was read is overwritten, and none after",
        "a + b;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "a + b;\n        mem_fence(CLK_LOCAL_MEM_FENCE);",
    ),
    (
        "a",
        "barrier",
        "barriers of the steps of a vector are left out",
        "a + b;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "a + b;\n        if (h > 2) barrier(CLK_LOCAL_MEM_FENCE);",
    ),
    ("a", "sign", "the other way round", "l & h ? a - b", "l & h ? b - a"),
    ("a", "steps", "the last step is left out", "h < 64; h <<= 1", "h < 32; h <<= 1"),
]
