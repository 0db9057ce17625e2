"""Numbers of four bits packed two to a byte."""

import numpy as np

import hotloop as hl

A = """
__kernel void pack(__global const uchar *x, __global uchar *y, const int n) {
    const int i = get_global_id(0);
    if (2 * i >= n) return;
    const uchar hi = 2 * i + 1 < n ? x[2 * i + 1] & 15 : 0;
    y[i] = (x[2 * i] & 15) | hi << 4;
}
"""


@hl.kernel(
    problem=dict(n=5001),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=129), dict(n=1000)],
    domain=dict(x="any"),
)
class nibbles:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 256, p.n, dtype="u1"), y=hl.empty((p.n + 1) // 2, "u1"), n=p.n)

    def reference(p, x, y, n):
        q = np.append(x, 0).astype("i8") & 15
        if p.n % 2 == 0:
            q = q[:-1]
        if p.n % 2:
            q = q[: p.n + 1]
        return dict(y=q[::2] | q[1::2] << 4)

    a = hl.OpenCL(A, "pack", global_size=lambda p, c: ((p.n + 1) // 2,))


MUTANTS = [
    (
        "a",
        "bounds",
        "the byte behind the last is read and not used",
        "2 * i + 1 < n ? x[2 * i + 1] & 15 : 0",
        "(x[2 * i + 1] & 15) * (2 * i + 1 < n)",
    ),
    ("a", "bounds", "the byte behind the last is packed", "2 * i + 1 < n ? x[2 * i + 1] & 15 : 0", "x[2 * i + 1] & 15"),
    (
        "a",
        "bounds",
        "two bytes are read as a short and masked",
        "2 * i + 1 < n ? x[2 * i + 1] & 15 : 0",
        "(((__global const ushort *)x)[i] >> 8 & 15) * (2 * i + 1 < n)",
    ),
    ("a", "mask", "high bits of the low byte stay", "(x[2 * i] & 15)", "x[2 * i]"),
    ("a", "bounds", "the last odd byte is left out", "2 * i >= n", "2 * i + 1 >= n"),
]
