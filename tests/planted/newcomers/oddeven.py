"""Blocks of 64 numbers sorted by odd-even transposition in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void oe(__global const int *x, __global int *y, const int n) {
    __local int t[64];
    const int l = get_local_id(0), base = get_group_id(0) * 64;
    for (int k = l; k < 64; k += 32) t[k] = base + k < n ? x[base + k] : INT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 0; s < 64; ++s) {
        const int a = 2 * l + (s & 1);
        if (a + 1 < 64 && t[a] > t[a + 1]) { const int v = t[a]; t[a] = t[a + 1]; t[a + 1] = v; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = l; k < 64; k += 32) if (base + k < n) y[base + k] = t[k];
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=130)],
)
class oddeven:
    def inputs(p, rng):
        return dict(x=rng.integers(-(2**31), 2**31 - 1, p.n, dtype="i4"), y=hl.empty(p.n, "i4"), n=p.n)

    def reference(p, x, y, n):
        return dict(y=np.concatenate([np.sort(x[i : i + 64]) for i in range(0, p.n, 64)]))

    a = hl.OpenCL(A, "oe", global_size=lambda p, c: (-(-p.n // 64) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier between steps",
        "t[a + 1] = v; }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "t[a + 1] = v; }",
    ),
    ("a", "barrier", "no barrier after loading", ": INT_MAX;\n    barrier(CLK_LOCAL_MEM_FENCE);", ": INT_MAX;"),
    ("a", "bounds", "one past the local block is compared", "a + 1 < 64 &&", "a < 64 &&"),
    ("a", "bounds", "reads one past n", "base + k < n ? x", "base + k <= n ? x"),
    ("a", "steps", "one step less", "s < 64; ++s", "s < 63; ++s"),
    (
        "a",
        "divergent",
        "only items that swap meet the barrier",
        "t[a + 1] = v; }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "t[a + 1] = v; barrier(CLK_LOCAL_MEM_FENCE); }",
    ),
]
