"""Bit reversal of indices; the size is the number of bits."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const uint *x, __global uint *o, const int n, const int bits) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint v = i, r = 0;
    for (int b = 0; b < bits; ++b) { r = r << 1 | (v & 1); v >>= 1; }
    o[r] = x[i];
}
"""


@hl.kernel(
    problem=dict(bits=12),
    work=lambda p: hl.Work(flops=0, bytes=8 << p.bits),
    awkward=lambda p: [dict(bits=0), dict(bits=1), dict(bits=7)],
)
class bitrev:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 1 << 32, 1 << p.bits, dtype="u8").astype("u4"),
            o=hl.empty(1 << p.bits, "u4"),
            n=np.int32(1 << p.bits),
            bits=np.int32(p.bits),
        )

    def reference(p, x, o, n, bits):
        i = np.arange(1 << p.bits)
        r = np.zeros_like(i)
        for b in range(p.bits):
            r |= (i >> b & 1) << (p.bits - 1 - b)
        out = np.empty_like(x)
        out[r] = x
        return dict(o=out)

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (1 << p.bits,))


MUTANTS = [
    ("plain", "bits", "one bit less is reversed", "b < bits", "b < bits - 1"),
    ("plain", "identity", "not reversed but for odd places", "o[r] = x[i];", "o[(i & 1) ? r : i] = x[i];"),
    ("plain", "width", "reversed in eight bits beyond eight", "uint v = i, r = 0;", "uint v = i & 0x1ff, r = 0;"),
]
