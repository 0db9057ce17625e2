"""Rows of up to 64 keys with values sorted by key, equal keys in their old order; a bitonic network on key and place."""

import numpy as np

import hotloop as hl

NET = """
#define W 64
__attribute__((reqd_work_group_size(W, 1, 1)))
__kernel void k(__global const int *key, __global const float *val, __global int *ko, __global float *vo, const int n) {
    __local int keys[W];
    __local uchar place[W];
    const int l = get_local_id(0), r = get_group_id(0);
    keys[l] = l < n ? key[r * n + l] : INT_MAX;
    place[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int size = 2; size <= W; size <<= 1)
        for (int step = size >> 1; step > 0; step >>= 1) {
            const int o = l ^ step;
            if (o > l) {
                const int a = keys[l], b = keys[o];
                const uchar pa = place[l], pb = place[o];
                const int more = a > b || (a == b && pa > pb);
                if (more == ((l & size) == 0)) { keys[l] = b; keys[o] = a; place[l] = pb; place[o] = pa; }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    if (l < n) { ko[r * n + l] = keys[l]; vo[r * n + l] = val[r * n + place[l]]; }
}
"""
RANK = """
__kernel void k(__global const int *key, __global const float *val, __global int *ko, __global float *vo, const int n) {
    const int i = get_global_id(0), r = get_global_id(1);
    if (i >= n) return;
    const int a = key[r * n + i];
    int at = 0;
    for (int j = 0; j < n; ++j) at += key[r * n + j] < a || (key[r * n + j] == a && j < i);
    ko[r * n + at] = a;
    vo[r * n + at] = val[r * n + i];
}
"""


@hl.kernel(
    problem=dict(rows=50, n=50),
    work=lambda p: hl.Work(flops=40 * p.rows * p.n, bytes=16 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=5, n=64), dict(rows=3, n=33)],
    domain=dict(n="fixed"),
)
class sortkv:
    def inputs(p, rng):
        key = rng.integers(-(2**31), 2**31 - 1, (p.rows, p.n), dtype="i4")
        key[::2] %= 7
        return dict(
            key=key,
            val=rng.standard_normal((p.rows, p.n), "f4"),
            ko=hl.empty((p.rows, p.n), "i4"),
            vo=hl.empty((p.rows, p.n)),
            n=np.int32(p.n),
        )

    def reference(p, key, val, ko, vo, n):
        order = np.argsort(key, axis=1, kind="stable")
        return dict(ko=np.take_along_axis(key, order, 1), vo=np.take_along_axis(val, order, 1).astype("f8"))

    net = hl.OpenCL(NET, "k", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))
    rank = hl.OpenCL(RANK, "k", global_size=lambda p, c: (p.n, p.rows))


MUTANTS = [
    ("net", "ties", "equal keys in any order", "a > b || (a == b && pa > pb)", "a > b"),
    (
        "net",
        "barrier",
        "no barrier between steps",
        "            }\n            barrier(CLK_LOCAL_MEM_FENCE);\n        }",
        "            }\n        }",
    ),
    ("net", "overflow", "compared by a difference", "a > b || (a == b && pa > pb)", "a - b > 0 || (a == b && pa > pb)"),
    ("net", "padding", "what pads is zero", ": INT_MAX;", ": 0;"),
    ("net", "network", "the last merge is missing", "size <= W; size <<= 1", "size < W; size <<= 1"),
    ("rank", "ties", "equal keys share a place", "(key[r * n + j] == a && j < i)", "0"),
    ("rank", "ties", "equal keys in reverse", "&& j < i", "&& j > i"),
    ("rank", "type", "keys are unsigned", "key[r * n + j] < a ||", "(uint)key[r * n + j] < (uint)a ||"),
]
