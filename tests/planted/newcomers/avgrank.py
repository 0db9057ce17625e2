"""Ranks within rows, equal values share the mean of theirs."""

import numpy as np

import hotloop as hl

A = """
__kernel void ranks(__global const float *x, __global float *r, const int n) {
    const int j = get_global_id(0), row = get_global_id(1);
    if (j >= n) return;
    const float own = x[row * n + j];
    int less = 0, same = 0;
    for (int k = 0; k < n; ++k) {
        less += x[row * n + k] < own;
        same += x[row * n + k] == own;
    }
    r[row * n + j] = less + 0.5f * (same + 1);
}
"""
L = """
__kernel void ranks(__global const float *x, __global float *r, const int n) {
    __local float tile[64];
    const int j = get_global_id(0), row = get_global_id(1), t = get_local_id(0);
    const float own = x[row * n + min(j, n - 1)];
    int less = 0, same = 0;
    for (int begin = 0; begin < n; begin += 64) {
        tile[t] = begin + t < n ? x[row * n + begin + t] : INFINITY;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int end = min(64, n - begin);
        for (int k = 0; k < end; ++k) {
            less += tile[k] < own;
            same += tile[k] == own;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (j < n) r[row * n + j] = less + 0.5f * (same + 1);
}
"""


@hl.kernel(
    problem=dict(m=11, n=200),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=3, n=65), dict(m=2, n=64)],
    tolerance=hl.Tolerance(terms=1),
)
class avgrank:
    def inputs(p, rng):
        return dict(x=np.round(rng.standard_normal((p.m, p.n)) * 20).astype("f4"), r=hl.empty((p.m, p.n), "f4"), n=p.n)

    def reference(p, x, r, n):
        less = (x[:, None, :] < x[:, :, None]).sum(2)
        same = (x[:, None, :] == x[:, :, None]).sum(2)
        return dict(r=less + 0.5 * (same + 1))

    a = hl.OpenCL(A, "ranks", global_size=lambda p, c: (p.n, p.m))
    l = hl.OpenCL(L, "ranks", global_size=lambda p, c: (-(-p.n // 64) * 64, p.m), local_size=lambda p, c: (64, 1))


MUTANTS = [
    ("a", "ties", "equal values in their order", "less + 0.5f * (same + 1)", "less + 1"),
    ("a", "rounding", "halves are lost", "0.5f * (same + 1)", "(same + 1) / 2"),
    ("a", "bounds", "the first is not counted", "int k = 0; k < n", "int k = 1; k < n"),
    (
        "l",
        "barrier",
        "no barrier before the tile is read",
        "INFINITY;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "INFINITY;",
    ),
    (
        "l",
        "barrier",
        "no barrier before it is overwritten",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }",
        "        }\n    }",
    ),
    ("l", "tail", "the last tile is lost", "begin < n; begin += 64", "begin + 64 <= n || begin == 0; begin += 64"),
]
