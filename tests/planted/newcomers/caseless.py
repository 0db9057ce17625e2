"""Order of pairs of zero-terminated words in fixed fields, letters of either case being equal: -1, 0 or 1."""

import numpy as np

import hotloop as hl

A = """
int low(uchar c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
__kernel void k(__global const uchar *a, __global const uchar *b, __global int *o, int n, int w) {
    int i = get_global_id(0);
    if (i >= n) return;
    int r = 0;
    for (int j = 0; j < w; ++j) {
        int x = low(a[i * w + j]), y = low(b[i * w + j]);
        if (x != y) { r = x < y ? -1 : 1; break; }
        if (x == 0) break;
    }
    o[i] = r;
}
"""
B = """
__kernel void k(__global const uchar *a, __global const uchar *b, __global int *o, int n, int w) {
    __local int first[64];
    __local int len[64];
    int i = get_group_id(0), l = get_local_id(0);
    int at = w, zero = w;
    for (int j = l; j < w; j += 16) {
        uchar x = a[i * w + j], y = b[i * w + j];
        x += (x >= 65 && x <= 90) * 32; y += (y >= 65 && y <= 90) * 32;
        if (x != y) at = min(at, j);
        if (x == 0) zero = min(zero, j);
    }
    first[l] = at; len[l] = zero;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int q = 1; q < 16; ++q) { at = min(at, first[q]); zero = min(zero, len[q]); }
        int r = 0;
        if (at < w && at <= zero) {
            uchar x = a[i * w + at], y = b[i * w + at];
            x += (x >= 65 && x <= 90) * 32; y += (y >= 65 && y <= 90) * 32;
            r = x < y ? -1 : 1;
        }
        o[i] = r;
    }
}
"""


@hl.kernel(
    problem=dict(n=2000, w=20),
    work=lambda p: hl.Work(flops=4 * p.n * p.w, bytes=2 * p.n * p.w),
    awkward=lambda p: [dict(n=1, w=1), dict(n=33, w=9), dict(n=100, w=40)],
)
class caseless:
    def inputs(p, rng):
        a = rng.integers(60, 128, (p.n, p.w), dtype="u1")
        a[rng.random((p.n, p.w)) < 0.06] = 0
        b = np.where(rng.random((p.n, p.w)) < 0.05, rng.integers(0, 256, (p.n, p.w)), a).astype("u1")
        up = (rng.random((p.n, p.w)) < 0.5) & (b >= 97) & (b <= 122)
        b = np.where(up, b - 32, b).astype("u1")
        return dict(a=a, b=b, o=hl.empty(p.n, "int32"), n=p.n, w=p.w)

    def reference(p, a, b, o, n, w):
        out = []
        for x, y in zip(a, b, strict=True):
            x, y = bytes(x).split(b"\0")[0].lower(), bytes(y).split(b"\0")[0].lower()
            out.append((x > y) - (x < y))
        return dict(o=np.array(out, "i4"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n * 16,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("a", "end", "does not stop at the end of the words", "if (x == 0) break;", ""),
    ("a", "limit", "Z is no letter", "c <= 'Z'", "c < 'Z'"),
    ("a", "limit", "[ is a letter", "c <= 'Z'", "c <= '['"),
    ("a", "sign", "signed bytes", "int low(uchar c)", "int low(char c)"),
    ("a", "last", "the last byte is not compared", "j < w; ++j", "j < w - 1; ++j"),
    ("b", "end", "a difference at the end itself is none", "at <= zero", "at < zero"),
    ("b", "barrier", "no barrier", "barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("b", "reduce", "the last partner is not asked", "q < 16", "q < 15"),
]
