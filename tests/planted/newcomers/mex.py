"""The smallest whole number that does not stand in each row (Grundy numbers)."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mx(__global const int *x, __global int *o, const int cols) {
    __local uint bits[64];
    __local int found;
    const int l = get_local_id(0), r = get_group_id(0);
    bits[l] = 0;
    if (l == 0) found = cols;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = l; c < cols; c += 64) {
        const int v = x[r * cols + c];
        if (v >= 0 && v < 2048) atomic_or(&bits[v >> 5], 1u << (v & 31));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (~bits[l]) atomic_min(&found, 32 * l + (int)popcount(~bits[l] & -~bits[l]) - 1 + (int)(31 - clz(~bits[l] & -~bits[l])));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) o[r] = found;
}
"""


@hl.kernel(
    problem=dict(rows=60, cols=300),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=65), dict(rows=5, cols=64)],
    domain=dict(cols="fixed"),
)
class mex:
    def inputs(p, rng):
        x = rng.integers(-3, p.cols + 3, (p.rows, p.cols), dtype="i4")
        x[::3] = rng.permutation(p.cols)
        x[1::3] = rng.integers(-3, max(1, p.cols // 8) + 1, (p.rows, p.cols))[1::3]
        return dict(x=x, o=hl.empty(p.rows, "i4"), cols=p.cols)

    def reference(p, x, o, cols):
        out = np.zeros(p.rows, "i8")
        for r, row in enumerate(x):
            there = np.zeros(p.cols + 1, bool)
            there[row[(row >= 0) & (row < p.cols)]] = True
            out[r] = there.argmin()
        return dict(o=out)

    a = hl.OpenCL(A, "mx", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "uninitialised", "bits are not cleared", "    bits[l] = 0;\n", ""),
    ("a", "bounds", "negative numbers mark a place before the bits", "if (v >= 0 && v < 2048)", "if (v < 2048)"),
    (
        "a",
        "atomic",
        "marked without an atomic",
        "atomic_or(&bits[v >> 5], 1u << (v & 31))",
        "bits[v >> 5] |= 1u << (v & 31)",
    ),
    (
        "a",
        "barrier",
        "no barrier before bits are read",
        "        if (v >= 0 && v < 2048) atomic_or(&bits[v >> 5], 1u << (v & 31));\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "        if (v >= 0 && v < 2048) atomic_or(&bits[v >> 5], 1u << (v & 31));\n    }",
    ),
    (
        "a",
        "barrier",
        "no barrier before the answer is read",
        "~bits[l])));\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "~bits[l])));",
    ),
    ("a", "uninitialised", "the answer is not set before the least is taken", "    if (l == 0) found = cols;\n", ""),
]
