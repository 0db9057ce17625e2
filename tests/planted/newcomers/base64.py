"""Three bytes to four signs of base 64, with signs of equality at the end."""

import numpy as np

import hotloop as hl

A = """
__constant char abc[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__kernel void k(__global const uchar *t, __global uchar *o, const int n) {
    int i = get_global_id(0);
    if (3 * i >= n) return;
    uint left = n - 3 * i, w = t[3 * i] << 16 | (left > 1 ? t[3 * i + 1] << 8 : 0) | (left > 2 ? t[3 * i + 2] : 0);
    o[4 * i] = abc[w >> 18]; o[4 * i + 1] = abc[w >> 12 & 63];
    o[4 * i + 2] = left > 1 ? abc[w >> 6 & 63] : '='; o[4 * i + 3] = left > 2 ? abc[w & 63] : '=';
}
"""
B = """
uchar sign(uint v) { return v < 26 ? 'A' + v : v < 52 ? 'a' + v - 26 : v < 62 ? '0' + v - 52 : v == 62 ? '+' : '/'; }
__kernel void k(__global const uchar *t, __global uchar *o, const int n) {
    int q = get_global_id(0), i = q / 4, part = q & 3;
    if (3 * i >= n) return;
    if (3 * i + part > n) { o[q] = '='; return; }
    uint low = part < 3 && 3 * i + part < n ? t[3 * i + part] : 0, high = part ? t[3 * i + part - 1] : 0;
    o[q] = sign((high << 8 | low) >> (2 * part + 2) & 63);
}
"""


@hl.kernel(
    problem=dict(n=3001),
    work=lambda p: hl.Work(flops=4 * p.n, bytes=2.4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=3), dict(n=100)],
)
class base64:
    def inputs(p, rng):
        return dict(t=rng.integers(0, 256, p.n, dtype="u1"), o=hl.empty(-(-p.n // 3) * 4, "uint8"), n=p.n)

    def reference(p, t, o, n):
        import base64 as coder

        return dict(o=np.frombuffer(coder.b64encode(t.tobytes()), "u1"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (-(-p.n // 3),))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (-(-p.n // 3) * 4,))


MUTANTS = [
    (
        "a",
        "bounds",
        "the second byte is read where it is none",
        "(left > 1 ? t[3 * i + 1] << 8 : 0)",
        "(t[3 * i + 1] << 8)",
    ),
    ("a", "limit", "one sign of equality too few", "left > 1 ? abc", "left > 0 ? abc"),
    ("a", "mask", "five bits", "w >> 6 & 63", "w >> 6 & 31"),
    ("a", "table", "the alphabet for addresses", "9+/", "9-_"),
    ("b", "limit", "z is a digit", "v < 52", "v < 51"),
    ("b", "limit", "nine is a sign", "v < 62 ?", "v < 61 ?"),
    ("b", "shift", "the first sign by eight bits less", "2 * part + 2", "2 * part + 1"),
    ("b", "limit", "no sign of equality", "3 * i + part > n", "3 * i + part > n + 3"),
]
