"""Bytes to base 64."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const uchar *x, __global uchar *o, __constant uchar *t, const int n) {
    const int i = get_global_id(0);
    if (i * 3 >= n) return;
    const uint a = x[3 * i], b = 3 * i + 1 < n ? x[3 * i + 1] : 0, c = 3 * i + 2 < n ? x[3 * i + 2] : 0;
    const uint v = a << 16 | b << 8 | c;
    o[4 * i] = t[v >> 18];
    o[4 * i + 1] = t[(v >> 12) & 63];
    o[4 * i + 2] = 3 * i + 1 < n ? t[(v >> 6) & 63] : '=';
    o[4 * i + 3] = 3 * i + 2 < n ? t[v & 63] : '=';
}
"""


@hl.kernel(
    problem=dict(n=9000),
    work=lambda p: hl.Work(flops=0, bytes=3 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=3), dict(n=100)],
)
class sextets:
    def inputs(p, rng):
        t = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "u1").copy()
        return dict(x=rng.integers(0, 256, p.n).astype("u1"), o=hl.empty(-(-p.n // 3) * 4, "u1"), t=t, n=np.int32(p.n))

    def reference(p, x, o, t, n):
        pad = np.concatenate([x, np.zeros(-p.n % 3, "u1")]).reshape(-1, 3).astype("u4")
        v = pad[:, 0] << 16 | pad[:, 1] << 8 | pad[:, 2]
        out = t[np.stack([v >> 18, v >> 12 & 63, v >> 6 & 63, v & 63], 1)].reshape(-1)
        if p.n % 3:
            out[-(3 - p.n % 3) :] = ord("=")
        return dict(o=out)

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (-(-p.n // 3),))


MUTANTS = [
    (
        "plain",
        "padding",
        "two signs of padding become one",
        "3 * i + 1 < n ? t[(v >> 6) & 63] : '='",
        "t[(v >> 6) & 63]",
    ),
    (
        "plain",
        "signed",
        "bytes are signed",
        "const uint a = x[3 * i],",
        "const uint a = (uint)(char)x[3 * i] & 0x80000000u ? x[3 * i] & 127 : x[3 * i],",
    ),
    ("plain", "mask", "the second sextet keeps two bits more", "(v >> 12) & 63", "(v >> 12) & 31"),
    ("plain", "guard", "the last bytes are read beyond the end", "3 * i + 2 < n ? x[3 * i + 2] : 0", "x[3 * i + 2]"),
]
