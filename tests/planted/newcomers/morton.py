"""Two coordinates interleaved to one index, and the Gray code of it."""

import numpy as np

import hotloop as hl

PLAIN = """
ulong spread(ulong v) {
    v = (v | (v << 16)) & 0x0000ffff0000ffffUL;
    v = (v | (v << 8)) & 0x00ff00ff00ff00ffUL;
    v = (v | (v << 4)) & 0x0f0f0f0f0f0f0f0fUL;
    v = (v | (v << 2)) & 0x3333333333333333UL;
    return (v | (v << 1)) & 0x5555555555555555UL;
}
__kernel void k(__global const uint *x, __global const uint *y, __global ulong *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ulong m = spread(x[i]) | (spread(y[i]) << 1);
    o[i] = m ^ (m >> 1);
}
"""
LOOP = """
__kernel void k(__global const uint *x, __global const uint *y, __global ulong *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong m = 0;
    for (int b = 0; b < 32; ++b)
        m |= ((ulong)((x[i] >> b) & 1u) << (2 * b)) | ((ulong)((y[i] >> b) & 1u) << (2 * b + 1));
    o[i] = m ^ (m >> 1);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=128)],
)
class morton:
    def inputs(p, rng):
        q = lambda: rng.integers(0, 1 << 32, p.n, dtype="u4")
        return dict(x=q(), y=q(), o=hl.empty(p.n, "uint64"), n=np.int32(p.n))

    def reference(p, x, y, o, n):
        m = np.zeros(p.n, "u8")
        for b in range(32):
            bit = lambda v, b=b: ((v >> np.uint32(b)) & 1).astype("u8")
            m |= (bit(x) << np.uint64(2 * b)) | (bit(y) << np.uint64(2 * b + 1))
        return dict(o=m ^ (m >> np.uint64(1)))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    loop = hl.OpenCL(LOOP, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "order",
        "coordinates exchanged",
        "spread(x[i]) | (spread(y[i]) << 1)",
        "spread(y[i]) | (spread(x[i]) << 1)",
    ),
    ("plain", "constant", "a mask of the lower half", "0x0000ffff0000ffffUL", "0x00000000ffffffffUL"),
    ("plain", "step", "a step is missing", "    v = (v | (v << 4)) & 0x0f0f0f0f0f0f0f0fUL;\n", ""),
    ("plain", "operator", "no Gray code", "m ^ (m >> 1)", "m"),
    (
        "loop",
        "narrow",
        "shifted in 32 bits",
        "(ulong)((x[i] >> b) & 1u) << (2 * b)",
        "(ulong)(((x[i] >> b) & 1u) << ((2 * b) & 31))",
    ),
    ("loop", "lost-tail", "the highest bit is left out", "b < 32", "b < 31"),
    ("loop", "shift", "the Gray code of two", "m ^ (m >> 1)", "m ^ (m >> 2)"),
]
