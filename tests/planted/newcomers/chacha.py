"""Key stream of ChaCha20: one block of 64 bytes for each counter."""

import numpy as np

import hotloop as hl

A = """
#define R(a, n) rotate(a, (uint)n)
#define Q(a, b, c, d) a += b; d = R(d ^ a, 16); c += d; b = R(b ^ c, 12); a += b; d = R(d ^ a, 8); c += d; b = R(b ^ c, 7);
__kernel void stream(__global const uint *key, __global const uint *nonce, const uint first, __global uint *o, const int blocks) {
    const int i = get_global_id(0);
    if (i >= blocks) return;
    uint s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int j = 0; j < 8; ++j) s[4 + j] = key[j];
    s[12] = first + i;
    for (int j = 0; j < 3; ++j) s[13 + j] = nonce[j];
    uint x[16];
    for (int j = 0; j < 16; ++j) x[j] = s[j];
    for (int r = 0; r < 10; ++r) {
        for (int c = 0; c < 4; ++c) { Q(x[c], x[4 + c], x[8 + c], x[12 + c]) }
        for (int c = 0; c < 4; ++c) { Q(x[c], x[4 + (c + 1) % 4], x[8 + (c + 2) % 4], x[12 + (c + 3) % 4]) }
    }
    for (int j = 0; j < 16; ++j) o[16 * i + j] = x[j] + s[j];
}
"""


@hl.kernel(
    problem=dict(blocks=2000),
    work=lambda p: hl.Work(flops=0, bytes=64 * p.blocks),
    awkward=lambda p: [dict(blocks=1), dict(blocks=67)],
    domain=dict(first="any"),
)
class chacha:
    def inputs(p, rng):
        return dict(
            key=rng.integers(0, 2**32, 8, dtype="u4"),
            nonce=rng.integers(0, 2**32, 3, dtype="u4"),
            first=np.uint32(rng.integers(0, 2**32)),
            o=hl.empty((p.blocks, 16), "u4"),
            blocks=p.blocks,
        )

    def reference(p, key, nonce, first, o, blocks):
        s = np.zeros((16, blocks), "u4")
        s[:4] = np.array([0x61707865, 0x3320646E, 0x79622D32, 0x6B206574], "u4")[:, None]
        s[4:12] = key[:, None]
        s[12] = (int(first) + np.arange(blocks, dtype="u8")).astype("u4")
        s[13:] = nonce[:, None]
        x = s.copy()

        def q(a, b, c, d):
            for into, other, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[into] += x[other]
                v = x[turned] ^ x[into]
                x[turned] = v << np.uint32(by) | v >> np.uint32(32 - by)

        for _ in range(10):
            for c in range(4):
                q(c, 4 + c, 8 + c, 12 + c)
            for c in range(4):
                q(c, 4 + (c + 1) % 4, 8 + (c + 2) % 4, 12 + (c + 3) % 4)
        return dict(o=(x + s).T)

    a = hl.OpenCL(A, "stream", global_size=lambda p, c: (p.blocks,))


MUTANTS = [
    ("a", "rounds", "nine double rounds", "r < 10", "r < 9"),
    ("a", "add", "the start is not added", "x[j] + s[j]", "x[j]"),
    ("a", "scalar", "the counter begins at zero", "s[12] = first + i", "s[12] = i"),
    (
        "a",
        "carry",
        "the counter carries into the nonce",
        "for (int j = 0; j < 3; ++j) s[13 + j] = nonce[j];",
        "for (int j = 0; j < 3; ++j) s[13 + j] = nonce[j]; if (s[12] < first) ++s[13];",
    ),
    ("a", "rotate", "one bit less", "R(b ^ c, 7)", "R(b ^ c, 6)"),
]
