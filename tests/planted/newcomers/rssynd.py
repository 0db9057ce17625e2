"""Syndromes of Reed–Solomon words over GF(256), polynomial 0x11D, roots from the zeroth power on."""

import numpy as np

import hotloop as hl

SOURCE = """
uchar times(uint a, uint b) {
    uint r = 0;
    for (int i = 0; i < 8; ++i) {
        if (b >> i & 1) r ^= a;
        a = a & 0x80 ? (a << 1 ^ 0x11D) : a << 1;
    }
    return r;
}
__kernel void syndromes(__global const uchar *word, __global uchar *out, const int words, const int length, const int parity) {
    const int i = get_global_id(0), w = get_global_id(1);
    if (i >= parity || w >= words) return;
    uint root = 1;
    for (int j = 0; j < i; ++j) root = times(root, 2);
    uint s = 0;
    for (int j = 0; j < length; ++j) s = times(s, root) ^ word[w * length + j];
    out[w * parity + i] = s;
}
"""


def tables():
    power, a = [], 1
    for _ in range(255):
        power.append(a)
        a = a << 1 ^ (0x11D if a & 128 else 0)
    return np.array(power), {x: i for i, x in enumerate(power)}


@hl.kernel(
    problem=dict(words=60, length=255, parity=16),
    work=lambda p: hl.Work(flops=20 * p.words * p.length * p.parity, bytes=p.words * (p.length + p.parity)),
    awkward=lambda p: [
        dict(words=1, length=1, parity=1),
        dict(words=5, length=18, parity=7),
        dict(words=65, length=64, parity=2),
    ],
    domain=dict(length="at most 255", parity="at most 32"),
)
class rssynd:
    def inputs(p, rng):
        return dict(
            word=rng.integers(0, 256, (p.words, p.length), dtype="u1"),
            out=hl.empty((p.words, p.parity), "u1"),
            words=np.int32(p.words),
            length=np.int32(p.length),
            parity=np.int32(p.parity),
        )

    def reference(p, word, out, words, length, parity):
        power, log = tables()
        logs = np.array([log.get(x, -1) for x in range(256)])[word]
        answer = np.zeros((p.words, p.parity), "u1")
        for i in range(p.parity):
            place = i * np.arange(p.length - 1, -1, -1)
            terms = np.where(logs < 0, 0, power[(logs + place) % 255]).astype("u1")
            answer[:, i] = np.bitwise_xor.reduce(terms, axis=1)
        return dict(out=answer)

    plain = hl.OpenCL(SOURCE, "syndromes", global_size=lambda p, c: (p.parity, p.words))


MUTANTS = [
    ("plain", "constant", "another field polynomial", "0x11D", "0x11B"),
    ("plain", "lost-tail", "seven bits of the second factor", "i < 8", "i < 7"),
    ("plain", "off-by-one", "roots begin at the first power", "j < i; ++j) root", "j <= i; ++j) root"),
    (
        "plain",
        "limit",
        "the first byte is passed over",
        "uint s = 0;\n    for (int j = 0;",
        "uint s = 0;\n    for (int j = length > 64;",
    ),
    (
        "plain",
        "type",
        "no reduction of the ninth bit",
        "a & 0x80 ? (a << 1 ^ 0x11D) : a << 1;",
        "a & 0x80 && i < 6 ? (a << 1 ^ 0x11D) : a << 1;",
    ),
    (
        "plain",
        "index",
        "the stride without the last word",
        "out[w * parity + i] = s;",
        "out[w * parity + i] = w == 64 ? s ^ 1 : s;",
    ),
]
