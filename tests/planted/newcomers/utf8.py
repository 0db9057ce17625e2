"""The code points of a text in UTF-8, one at each leading byte, and -1 at the bytes that follow."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *s, __global int *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint c = s[i];
    if (c < 0x80) o[i] = c;
    else if (c < 0xC0) o[i] = -1;
    else if (c < 0xE0) o[i] = (c & 31) << 6 | (s[i + 1] & 63);
    else if (c < 0xF0) o[i] = (c & 15) << 12 | (s[i + 1] & 63) << 6 | (s[i + 2] & 63);
    else o[i] = (c & 7) << 18 | (s[i + 1] & 63) << 12 | (s[i + 2] & 63) << 6 | (s[i + 3] & 63);
}
"""
CLZ = """
__kernel void k(__global const uchar *s, __global int *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int more = clz((uchar)~s[i]) - 1;
    int v = s[i] & (more < 0 ? 0x7F : 0x3F >> more);
    for (int j = 1; j <= more; ++j) v = v << 6 | (s[i + j] & 0x3F);
    o[i] = more == 0 ? -1 : v;
}
"""


def text(n, rng):
    """A text of exactly n bytes, of characters of one to four bytes."""
    kinds = ((0, 0x80), (0x80, 0x800), (0x800, 0xD800), (0x10000, 0x110000))
    out = b""
    while len(out) < n:
        low, high = kinds[int(rng.integers(0, min(4, n - len(out))))]
        out += chr(int(rng.integers(low, high))).encode()
    return np.frombuffer(out, "u1").copy()


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=p.n, bytes=5 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=3), dict(n=4), dict(n=101)],
    domain=dict(s="fixed"),
)
class utf8:
    def inputs(p, rng):
        return dict(s=text(p.n, rng), o=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, s, o, n):
        out, at = np.full(p.n, -1, "i8"), 0
        for char in bytes(s).decode():
            out[at] = ord(char)
            at += len(char.encode())
        return dict(o=out)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    clz = hl.OpenCL(CLZ, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "ends", "the first bytes of two are taken for followers", "c < 0xC0", "c <= 0xC3"),
    ("plain", "bits", "five bits of the first of three", "(c & 15) << 12", "(c & 7) << 12"),
    ("plain", "type", "code points in 18 bits", "else o[i] = (c & 7) << 18", "else o[i] = (c & 0) << 18"),
    ("plain", "case", "four bytes as three", "c < 0xF0", "c < 0xF8"),
    ("clz", "type", "seven bits of ASCII become six", "(more < 0 ? 0x7F : 0x3F >> more)", "0x3F >> max(more, 0)"),
    ("plain", "over", "the byte behind ASCII is read", "o[i] = c;", "o[i] = s[i + 1] == 0xFF ? -2 : (int)c;"),
]
