"""Places on a Hilbert curve from x and y, on a square whose side is a power of two."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uint *x, __global const uint *y, __global uint *d, const int n, const int order) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint a = x[i], b = y[i], at = 0;
    for (uint s = 1u << (order - 1); s > 0; s >>= 1) {
        const uint rx = (a & s) > 0, ry = (b & s) > 0;
        at += s * s * ((3 * rx) ^ ry);
        if (ry == 0) {
            if (rx == 1) { a = s - 1 - (a & (s - 1)); b = s - 1 - (b & (s - 1)); }
            const uint t = a; a = b; b = t;
        }
    }
    d[i] = at;
}
"""


@hl.kernel(
    problem=dict(n=10000, order=13),
    work=lambda p: hl.Work(flops=8 * p.n * p.order, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1, order=1), dict(n=77, order=5), dict(n=1000, order=16)],
    domain=dict(x="range", y="range"),
)
class hilbert:
    def inputs(p, rng):
        side = 1 << p.order
        return dict(
            x=rng.integers(0, side, p.n, dtype="u4"),
            y=rng.integers(0, side, p.n, dtype="u4"),
            d=hl.empty(p.n, "u4"),
            n=np.int32(p.n),
            order=np.int32(p.order),
        )

    def reference(p, x, y, d, n, order):
        a, b, at = x.astype("i8"), y.astype("i8"), np.zeros(p.n, "i8")
        for q in range(p.order - 1, -1, -1):
            s = 1 << q
            rx, ry = (a >> q) & 1, (b >> q) & 1
            at += s * s * ((3 * rx) ^ ry)
            a, b = a & (s - 1), b & (s - 1)
            flip = (ry == 0) & (rx == 1)
            a, b = np.where(flip, s - 1 - a, a), np.where(flip, s - 1 - b, b)
            a, b = np.where(ry == 0, b, a), np.where(ry == 0, a, b)
        return dict(d=at)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "order", "quadrants in Morton's order", "((3 * rx) ^ ry)", "(2 * rx + ry)"),
    ("plain", "lost-tail", "the last level is left out", "s > 0; s >>= 1", "s > 1; s >>= 1"),
    ("plain", "case", "no reflection", "if (rx == 1) {", "if (rx == 2) {"),
    ("plain", "type", "squares in 16 bits", "at += s * s", "at += (ushort)(s * s)"),
    ("plain", "bounds", "reflected places are one too far", "a = s - 1 - (a & (s - 1));", "a = s - (a & (s - 1));"),
]
