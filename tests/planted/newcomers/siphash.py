"""SipHash-2-4 of records of equal length under a secret key."""

import numpy as np

import hotloop as hl

A = """
#define ROUND a += b; b = rotate(b, 13ul); b ^= a; a = rotate(a, 32ul); c += d; d = rotate(d, 16ul); d ^= c; a += d; d = rotate(d, 21ul); d ^= a; c += b; b = rotate(b, 17ul); b ^= c; c = rotate(c, 32ul);
__kernel void sip(__global const uchar *x, __global ulong *o, const ulong k0, const ulong k1, const int n, const int len) {
    const int i = get_global_id(0);
    if (i >= n) return;
    __global const uchar *p = x + i * len;
    ulong a = k0 ^ 0x736f6d6570736575ul, b = k1 ^ 0x646f72616e646f6dul, c = k0 ^ 0x6c7967656e657261ul, d = k1 ^ 0x7465646279746573ul;
    int at = 0;
    for (; at + 8 <= len; at += 8) {
        ulong m = 0;
        for (int j = 0; j < 8; ++j) m |= (ulong)p[at + j] << (8 * j);
        d ^= m;
        ROUND ROUND
        a ^= m;
    }
    ulong m = (ulong)len << 56;
    for (int j = 0; at + j < len; ++j) m |= (ulong)p[at + j] << (8 * j);
    d ^= m;
    ROUND ROUND
    a ^= m;
    c ^= 0xff;
    ROUND ROUND ROUND ROUND
    o[i] = a ^ b ^ c ^ d;
}
"""


@hl.kernel(
    problem=dict(n=3000, len=21),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n * p.len),
    awkward=lambda p: [dict(n=1, len=1), dict(n=5, len=8), dict(n=33, len=15)],
)
class siphash:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.n, p.len), dtype="u1"),
            o=hl.empty(p.n, "u8"),
            k0=rng.integers(0, 2**64, dtype="u8"),
            k1=rng.integers(0, 2**64, dtype="u8"),
            n=p.n,
            len=p.len,
        )

    def reference(p, x, o, k0, k1, n, len):  # noqa: A002
        u = np.uint64

        def turn(v, by):
            return v << u(by) | v >> u(64 - by)

        def rounds(v, times):
            a, b, c, d = v
            for _ in range(times):
                a = a + b
                b = turn(b, 13) ^ a
                a = turn(a, 32)
                c = c + d
                d = turn(d, 16) ^ c
                a = a + d
                d = turn(d, 21) ^ a
                c = c + b
                b = turn(b, 17) ^ c
                c = turn(c, 32)
            return [a, b, c, d]

        whole = np.zeros((p.n, p.len // 8 * 8 + 8), "u1")
        whole[:, : p.len] = x
        whole[:, -1] = p.len % 256
        words = whole.view("<u8")
        v = [
            np.full(p.n, k ^ u(m))
            for k, m in (
                (k0, 0x736F6D6570736575),
                (k1, 0x646F72616E646F6D),
                (k0, 0x6C7967656E657261),
                (k1, 0x7465646279746573),
            )
        ]
        for m in words.T:
            v[3] = v[3] ^ m
            v = rounds(v, 2)
            v[0] = v[0] ^ m
        v[2] = v[2] ^ u(255)
        a, b, c, d = rounds(v, 4)
        return dict(o=a ^ b ^ c ^ d)

    a = hl.OpenCL(A, "sip", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "tail",
        "the seventh byte of the rest is lost",
        "for (int j = 0; at + j < len; ++j) m",
        "for (int j = 0; at + j < len && j < 6; ++j) m",
    ),
    (
        "a",
        "sign",
        "bytes of the rest are signed",
        "at + j < len; ++j) m |= (ulong)p[at + j]",
        "at + j < len; ++j) m |= (ulong)(char)p[at + j]",
    ),
    ("a", "scalar", "half of the key is left out once", "d = k1 ^ 0x7465646279746573ul", "d = 0x7465646279746573ul"),
    (
        "a",
        "shift",
        "bytes shifted in 32 bits",
        "at + j < len; ++j) m |= (ulong)p[at + j] << (8 * j)",
        "at + j < len; ++j) m |= (ulong)(p[at + j] << (8 * j))",
    ),
    (
        "a",
        "bounds",
        "eight bytes are read and masked",
        "for (int j = 0; at + j < len; ++j) m |= (ulong)p[at + j] << (8 * j);",
        "for (int j = 0; j < 8; ++j) { const ulong q = p[at + j]; m |= at + j < len ? q << (8 * j) : 0; }",
    ),
    ("a", "narrow", "places in 16 bits", "x + i * len", "x + (ushort)(i * len)"),
]
