"""A permutation done k times, by cycles of its own numbers."""

import numpy as np

import hotloop as hl

A = """
__kernel void permpow(__global const int *to, __global int *y, const int n, const int k) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int at = to[i], period = 1;
    while (at != i) { at = to[at]; ++period; }
    int left = k % period;
    at = i;
    while (left--) at = to[at];
    y[i] = at;
}
"""


@hl.kernel(
    problem=dict(n=1200),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=257)],
)
class permpow:
    def inputs(p, rng):
        k = np.int32(rng.integers(0, 1000000))
        return dict(to=rng.permutation(p.n).astype("i4"), y=hl.empty(p.n, "i4"), n=np.int32(p.n), k=k)

    def reference(p, to, y, n, k):
        found, power, left = np.arange(p.n), to.copy(), int(k)
        while left:
            if left & 1:
                found = power[found]
            power, left = power[power], left >> 1
        return dict(y=found.astype("i4"))

    a = hl.OpenCL(A, "permpow", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "value", "periods one longer", "period = 1", "period = 2"),
    ("a", "bounds", "one step less", "while (left--)", "while (--left > 0)"),
    ("a", "index", "from the image", "at = i;\n    while", "at = to[i];\n    while"),
    ("a", "value", "the number itself, not the rest", "k % period", "k & (period - 1)"),
    ("a", "init", "no step for a cycle of two", "while (at != i) {", "while (at != i && to[at] != i) {"),
]
