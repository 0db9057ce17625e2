"""How often each class was taken for each other one: local counters, added up by atomics."""

import numpy as np

import hotloop as hl

A = """
__kernel void confusion(__global const int *is, __global const int *told, __global int *count, const int n, const int classes) {
    __local int own[256];
    const int t = get_local_id(0);
    for (int k = t; k < classes * classes; k += get_local_size(0)) own[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        if (is[i] >= 0 && is[i] < classes) atomic_inc(&own[is[i] * classes + told[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = t; k < classes * classes; k += get_local_size(0))
        if (own[k]) atomic_add(&count[k], own[k]);
}
"""


@hl.kernel(
    problem=dict(n=4000, classes=7),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1, classes=1), dict(n=300, classes=16), dict(n=65, classes=2)],
    domain=dict(told="indices"),
)
class confusion:
    def inputs(p, rng):
        return dict(
            **{"is": rng.integers(-1, p.classes, p.n, dtype="i4")}, told=rng.integers(0, p.classes, p.n, dtype="i4"),
            count=np.zeros((p.classes, p.classes), "i4"), n=p.n, classes=p.classes,
        )  # fmt: skip

    def reference(p, told, count, n, classes, **more):
        out, known = count.astype("i8"), more["is"]
        some = (known >= 0) & (known < p.classes)
        np.add.at(out, (known[some], told[some]), 1)
        return dict(count=out)

    a = hl.OpenCL(A, "confusion", global_size=lambda p, c: (256,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "atomic",
        "local counters without atomics",
        "atomic_inc(&own[is[i] * classes + told[i]])",
        "own[is[i] * classes + told[i]]++",
    ),
    ("a", "atomic", "added up without atomics", "atomic_add(&count[k], own[k])", "count[k] += own[k]"),
    ("a", "index", "transposed", "is[i] * classes + told[i]", "told[i] * classes + is[i]"),
    (
        "a",
        "boundary",
        "missing labels are counted with the first",
        "if (is[i] >= 0 && is[i] < classes) atomic_inc(&own[is[i]",
        "if (is[i] < classes) atomic_inc(&own[max(is[i], 0)",
    ),
    ("a", "initial", "local counters are not cleared", "own[k] = 0;", ";"),
    (
        "a",
        "barrier",
        "no barrier before they are added up",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int k = t; k < classes * classes; k += get_local_size(0))\n        if",
        "    for (int k = t; k < classes * classes; k += get_local_size(0))\n        if",
    ),
    (
        "a",
        "stale",
        "old counts are overwritten by one group",
        "if (own[k]) atomic_add(&count[k], own[k])",
        "if (own[k]) atomic_xchg(&count[k], own[k])",
    ),
]
