"""Weighted votes of many items for few candidates, counted with atomics in local and in global memory."""

import numpy as np

import hotloop as hl

GLOBAL = """
__kernel void k(__global const int *who, __global const int *w, __global int *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    atomic_add(&o[who[i]], w[i]);
}
"""
LOCAL = """
#define C 40
__kernel void k(__global const int *who, __global const int *w, __global int *o, const int n) {
    __local int c[C];
    const int l = get_local_id(0), i = get_global_id(0);
    for (int j = l; j < C; j += 32) c[j] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) atomic_add(&c[who[i]], w[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = l; j < C; j += 32)
        if (c[j]) atomic_add(&o[j], c[j]);
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n + 160),
    awkward=lambda p: [dict(n=1), dict(n=31), dict(n=1025)],
    domain=dict(who="indices", w="range"),
)
class votes:
    def inputs(p, rng):
        return dict(
            who=rng.integers(0, 40, p.n, dtype="i4"),
            w=rng.integers(-9, 1000, p.n, dtype="i4"),
            o=np.arange(40, dtype="i4") * 3,
            n=np.int32(p.n),
        )

    def reference(p, who, w, o, n):
        return dict(o=(o + np.bincount(who, weights=w, minlength=40)).astype("i8"))

    plain = hl.OpenCL(GLOBAL, "k", global_size=lambda p, c: (p.n,))
    group = hl.OpenCL(LOCAL, "k", global_size=lambda p, c: (-(-p.n // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("plain", "atomics", "added without an atomic", "atomic_add(&o[who[i]], w[i]);", "o[who[i]] += w[i];"),
    (
        "plain",
        "atomics",
        "stored by an atomic, added without",
        "atomic_add(&o[who[i]], w[i]);",
        "atomic_xchg(&o[who[i]], o[who[i]] + w[i]);",
    ),
    ("plain", "atomics", "counted instead of weighed", "atomic_add(&o[who[i]], w[i]);", "atomic_inc(&o[who[i]]);"),
    (
        "plain",
        "atomics",
        "two halves, the second without",
        "atomic_add(&o[who[i]], w[i]);",
        "if (i & 1) atomic_add(&o[who[i]], w[i]); else o[who[i]] += w[i];",
    ),
    ("group", "atomics", "local sums are added without", "atomic_add(&o[j], c[j]);", "o[j] += c[j];"),
    ("group", "atomics", "local votes are added without", "atomic_add(&c[who[i]], w[i]);", "c[who[i]] += w[i];"),
    (
        "group",
        "barrier",
        "no barrier before the sums",
        "atomic_add(&c[who[i]], w[i]);\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "atomic_add(&c[who[i]], w[i]);",
    ),
    ("group", "barrier", "no barrier after clearing", "c[j] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", "c[j] = 0;"),
    (
        "group",
        "uninitialised",
        "the last eight are not cleared",
        "for (int j = l; j < C; j += 32) c[j] = 0;",
        "if (l < 32) c[l] = 0;",
    ),
    ("group", "mask", "negative sums are left out", "if (c[j]) atomic_add", "if (c[j] > 0) atomic_add"),
]
