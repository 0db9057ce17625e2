"""Quotient and remainder of 32-bit numbers by fixed divisors, by multiplication with a reciprocal."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uint *x, __global const uint *d, __global const uint *m, __global const uchar *s,
                __global uint *q, __global uint *r, const int n, const int kinds) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int j = i % kinds;
    const uint hi = mul_hi(x[i], m[j]);
    const uint v = (((x[i] - hi) >> 1) + hi) >> s[j];
    q[i] = v;
    r[i] = x[i] - v * d[j];
}
"""


@hl.kernel(
    problem=dict(n=6000, kinds=37),
    work=lambda p: hl.Work(flops=6 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1, kinds=1), dict(n=100, kinds=7), dict(n=1000, kinds=999)],
    domain=dict(d="fixed", m="fixed", s="fixed"),
)
class magic:
    def inputs(p, rng):
        d = rng.integers(2, 2**31, p.kinds, dtype="u8") >> rng.integers(0, 29, p.kinds).astype("u8")
        d = np.maximum(d, 2)
        log = np.array([int(v - 1).bit_length() for v in d.tolist()])
        m = np.array(
            [(1 << 32) * ((1 << k) - v) // v + 1 for k, v in zip(log.tolist(), d.tolist(), strict=False)], "u4"
        )
        return dict(
            x=rng.integers(0, 2**32, p.n, dtype="u4"),
            d=d.astype("u4"),
            m=m,
            s=(log - 1).astype("u1"),
            q=hl.empty(p.n, "u4"),
            r=hl.empty(p.n, "u4"),
            n=np.int32(p.n),
            kinds=np.int32(p.kinds),
        )

    def reference(p, x, d, m, s, q, r, n, kinds):
        by = d[np.arange(p.n) % p.kinds]
        return dict(q=x // by, r=x % by)

    plain = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "carry",
        "the sum is not protected from overflow",
        "(((x[i] - hi) >> 1) + hi) >> s[j]",
        "((x[i] + hi) >> 1) >> s[j]",
    ),
    ("plain", "round", "the reciprocal is one less", "mul_hi(x[i], m[j])", "mul_hi(x[i], m[j] - 1)"),
    (
        "plain",
        "float",
        "quotients by single precision",
        "const uint v = (((x[i] - hi) >> 1) + hi) >> s[j];",
        "const uint v = d[j] > 65536 ? (uint)((float)x[i] / (float)d[j]) : (((x[i] - hi) >> 1) + hi) >> s[j];",
    ),
    ("plain", "type", "the table's index in 8 bits", "const int j = i % kinds", "const int j = (uchar)(i % kinds)"),
]
