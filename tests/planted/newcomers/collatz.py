"""Steps of Collatz' sequence until 1, at most 1000, and the largest value met."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uint *x, __global ushort *steps, __global ulong *peak, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong v = x[i], top = v;
    int s = 0;
    while (v != 1 && s < 1000) {
        v = v & 1 ? 3 * v + 1 : v >> 1;
        top = max(top, (ulong)v);
        ++s;
    }
    steps[i] = s;
    peak[i] = top;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=14 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=67)],
    domain=dict(x="range"),
)
class collatz:
    def inputs(p, rng):
        return dict(
            x=rng.integers(1, 1 << 20, p.n, dtype="u4"),
            steps=hl.empty(p.n, "u2"),
            peak=hl.empty(p.n, "u8"),
            n=np.int32(p.n),
        )

    def reference(p, x, steps, peak, n):
        v, s = x.astype("u8"), np.zeros(p.n, "i8")
        top = v.copy()
        for _ in range(1000):
            live = v != 1
            if not live.any():
                break
            v = np.where(live, np.where(v & np.uint64(1), 3 * v + np.uint64(1), v >> np.uint64(1)), v)
            top = np.maximum(top, v)
            s += live
        return dict(steps=s, peak=top)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "type", "values in 32 bits", "ulong v = x[i], top = v;", "uint v = x[i]; ulong top = v;"),
    ("plain", "type", "steps in eight bits", "steps[i] = s;", "steps[i] = (uchar)s;"),
    ("plain", "start", "the first value is no peak", "top = v;\n", "top = 0;\n"),
]
