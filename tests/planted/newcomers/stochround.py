"""Numbers rounded to bfloat16 up or down by chance, from given random bits."""

import numpy as np

import hotloop as hl

A = """
__kernel void stochround(__global const float *x, __global const ushort *bits, __global ushort *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint v = as_uint(x[i]);
    y[i] = (v & 0x7f800000u) == 0x7f800000u ? (ushort)(v >> 16 | ((v & 65535) != 0)) : (ushort)((v + bits[i]) >> 16);
}
"""


@hl.kernel(
    problem=dict(n=8000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(x="any"),
)
class stochround:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal(p.n, "f4"),
            bits=rng.integers(0, 65536, p.n, dtype="u2"),
            y=hl.empty(p.n, "u2"),
            n=np.int32(p.n),
        )

    def reference(p, x, bits, y, n):
        v = x.view("u4")
        special = (v & np.uint32(0x7F800000)) == 0x7F800000
        kept = (v >> np.uint32(16)) | ((v & np.uint32(65535)) != 0)
        return dict(y=np.where(special, kept, (v + bits) >> np.uint32(16)).astype("u2"))

    a = hl.OpenCL(A, "stochround", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "value", "rounded to nearest", "v + bits[i]", "v + 32768"),
    ("a", "index", "a neighbour's bits", "bits[i]", "bits[i ^ (i + 1 < n)]"),
    ("a", "value", "infinities overflow", "(v & 0x7f800000u) == 0x7f800000u", "false"),
    ("a", "type", "bits are signed", "v + bits[i]", "v + (short)bits[i]"),
    ("a", "value", "NaN becomes infinite", " | ((v & 65535) != 0)", ""),
    ("a", "shift", "15 bits", "(ushort)((v + bits[i]) >> 16)", "(ushort)((v + (bits[i] >> 1)) >> 16)"),
]
