"""Convolutional code of constraint length 7 (octal 171, 133), every third pair punctured: one output byte per work-item."""

import numpy as np

import hotloop as hl

A = """
__kernel void encode(__global const uchar *bits, __global uchar *o, const int n, const int bytes) {
    const int at = get_global_id(0);
    if (at >= bytes) return;
    uint packed = 0;
    for (int b = 0; b < 8; ++b) {
        const int out = 8 * at + b;
        const int round = out / 4, part = out % 4;
        const int i = 3 * round + (part < 2 ? 0 : part - 1);
        uint state = 0;
        for (int d = 0; d < 7; ++d)
            if (i - d >= 0 && i - d < n) state |= (uint)(bits[i - d] & 1) << (6 - d);
        const uint taps = part == 1 || part == 3 ? 0133u : 0171u;
        const uint bit = i < n + 6 ? popcount(state & taps) & 1 : 0;
        packed = packed << 1 | bit;
    }
    o[at] = packed;
}
"""


def _places(n):
    rounds = -(-(n + 6) // 3)
    return -(-4 * rounds // 8)


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=6), dict(n=100), dict(n=1001)],
)
class convcode:
    def inputs(p, rng):
        return dict(
            bits=rng.integers(0, 2, p.n).astype("u1"), o=hl.empty(_places(p.n), "u1"), n=p.n, bytes=_places(p.n)
        )

    def reference(p, bits, o, n, bytes):  # noqa: A002
        stream = np.concatenate([np.zeros(6, "i8"), bits, np.zeros(16, "i8")])
        one = lambda i, taps: (
            0 if i >= n + 6 else sum(int(stream[6 + i - d]) & (taps >> (6 - d)) & 1 for d in range(7)) & 1
        )
        out = []
        for i in range(0, 2 * bytes * 3, 3):
            out += [one(i, 0o171), one(i, 0o133), one(i + 1, 0o171), one(i + 2, 0o133)]
        return dict(o=np.packbits(np.array(out[: 8 * bytes], "u1")))

    a = hl.OpenCL(A, "encode", global_size=lambda p, c: (-(-_places(p.n) // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "bounds", "the tail has five bits", "i < n + 6", "i < n + 5"),
    ("a", "bounds", "the first bit is not seen by later ones", "i - d >= 0 &&", "i - d > 0 &&"),
    ("a", "guard", "bits behind the end are read", "if (i - d >= 0 && i - d < n)", "if (i - d >= 0)"),
    ("a", "order", "bits of a byte are turned round", "packed = packed << 1 | bit", "packed |= bit << b"),
    ("a", "constant", "one tap of the first is missing", "0171u", "0170u"),
    ("a", "memory", "six bits of memory", "for (int d = 0; d < 7; ++d)", "for (int d = 0; d < 6; ++d)"),
]
