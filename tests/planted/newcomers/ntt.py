"""A stage of a number-theoretic transform modulo 998244353, in place in every row of 2^k residues."""

import numpy as np

import hotloop as hl

PLAIN = """
#define M 998244353u
__kernel void k(__global const uint *x, __global const uint *w, __global uint *y, const int rows, const int span) {
    const int i = get_global_id(0), r = get_global_id(1);
    if (i >= span || r >= rows) return;
    __global const uint *from = x + (size_t)r * 2 * span;
    const uint u = from[i], v = (uint)((ulong)from[i + span] * w[i] % M);
    const uint sum = u + v;
    y[(size_t)r * 2 * span + i] = sum >= M ? sum - M : sum;
    y[(size_t)r * 2 * span + i + span] = u >= v ? u - v : u + M - v;
}
"""


@hl.kernel(
    problem=dict(rows=40, span=100),
    work=lambda p: hl.Work(flops=6 * p.rows * p.span, bytes=16 * p.rows * p.span),
    awkward=lambda p: [dict(rows=1, span=1), dict(rows=3, span=33)],
    domain=dict(x="range", w="range"),
)
class ntt:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 998244353, (p.rows, 2 * p.span), dtype="u4"),
            w=rng.integers(0, 998244353, p.span, dtype="u4"),
            y=hl.empty((p.rows, 2 * p.span), "u4"),
            rows=np.int32(p.rows),
            span=np.int32(p.span),
        )

    def reference(p, x, w, y, rows, span):
        u, v = x[:, : p.span].astype("i8"), x[:, p.span :].astype("u8") * w.astype("u8") % np.uint64(998244353)
        v = v.astype("i8")
        return dict(y=np.concatenate([(u + v) % 998244353, (u - v) % 998244353], axis=1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.span, p.rows))


MUTANTS = [
    ("plain", "type", "the product in 32 bits", "(ulong)from[i + span] * w[i]", "(from[i + span] * w[i])"),
    ("plain", "bounds", "the modulus itself is left", "sum >= M ? sum - M", "sum > M ? sum - M"),
    ("plain", "bounds", "zero differences become the modulus", "u >= v ? u - v", "u > v ? u - v"),
    ("plain", "index", "the twiddle of the next", "* w[i] %", "* w[min(i + 1, span - 1)] %"),
]
