"""Sobol' points in Gray code order, each dimension from its direction numbers, moved by digital shifts, as floats below one."""

import numpy as np

import hotloop as hl

A = """
__kernel void sobol(__global const uint *direction, __global const uint *shift, __global float *o, const uint first, const int n, const int dims) {
    const int i = get_global_id(0), d = get_global_id(1);
    if (i >= n || d >= dims) return;
    const uint at = first + i, gray = at ^ at >> 1;
    uint x = shift[d];
    for (int b = 0; b < 32; ++b)
        if (gray >> b & 1) x ^= direction[d * 32 + b];
    o[i * dims + d] = (x >> 8) * 0x1p-24f;
}
"""


@hl.kernel(
    problem=dict(n=2000, dims=6),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n * p.dims),
    awkward=lambda p: [dict(n=1, dims=1), dict(n=100, dims=3), dict(n=33, dims=17)],
    domain=dict(first="any"),
)
class sobol:
    def inputs(p, rng):
        return dict(
            direction=rng.integers(0, 2**32, (p.dims, 32), dtype="u4"), shift=rng.integers(0, 2**32, p.dims, dtype="u4"),
            o=hl.empty((p.n, p.dims)), first=np.uint32(rng.integers(0, 2**20)), n=p.n, dims=p.dims,
        )  # fmt: skip

    def reference(p, direction, shift, o, first, n, dims):
        at = (np.uint64(first) + np.arange(n, dtype="u8")) & np.uint64(0xFFFFFFFF)
        gray = (at ^ at >> np.uint64(1)).astype("u4")
        out = np.broadcast_to(shift, (n, dims)).copy()
        for b in range(32):
            bit = (gray >> np.uint32(b) & np.uint32(1)).astype(bool)
            out[bit] ^= direction[:, b]
        return dict(o=(out >> np.uint32(8)) * 2.0**-24)

    a = hl.OpenCL(A, "sobol", global_size=lambda p, c: (-(-p.n // 16) * 16, p.dims))


MUTANTS = [
    ("a", "rounding", "numbers may become one", "(x >> 8) * 0x1p-24f", "x * 0x1p-32f"),
    ("a", "sign", "shifts by signed numbers", "(x >> 8) * 0x1p-24f", "((int)x >> 8) * 0x1p-24f"),
    ("a", "bounds", "the highest bit is not used", "b < 32; ++b", "b < 31; ++b"),
    (
        "a",
        "narrow",
        "places beyond 24 bits are cut",
        "const uint at = first + i,",
        "const uint at = (first + i) & 0xffffff,",
    ),
    ("a", "stride", "points are stored by dimension", "o[i * dims + d]", "o[d * n + i]"),
    ("a", "order", "plain order", "gray = at ^ at >> 1", "gray = at"),
]
