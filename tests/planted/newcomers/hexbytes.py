"""Pairs of hexadecimal digits of either case to bytes; a pair that is none gives 0 and a flag."""

import numpy as np

import hotloop as hl

A = """
int nib(uchar c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}
__kernel void k(__global const uchar *t, __global uchar *o, __global uchar *bad, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    int h = nib(t[2 * i]), l = nib(t[2 * i + 1]);
    bad[i] = (h | l) < 0;
    o[i] = (h | l) < 0 ? 0 : (h << 4 | l);
}
"""
B = """
__kernel void k(__global const uchar *t, __global uchar *o, __global uchar *bad, int n) {
    __local char tab[256];
    for (int c = get_local_id(0); c < 256; c += 64) tab[c] = c >= 48 && c < 58 ? c - 48 : c >= 65 && c < 71 ? c - 55 : c >= 97 && c < 103 ? c - 87 : -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    if (i < n) {
        char h = tab[t[2 * i]], l = tab[t[2 * i + 1]];
        int w = h < 0 || l < 0;
        bad[i] = w;
        o[i] = w ? 0 : h * 16 + l;
    }
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77)],
)
class hexbytes:
    def inputs(p, rng):
        t = rng.choice(np.frombuffer(b"0123456789abcdefABCDEF", "u1"), 2 * p.n)
        t = np.where(rng.random(2 * p.n) < 0.05, rng.integers(0, 256, 2 * p.n), t).astype("u1")
        return dict(t=t, o=hl.empty(p.n, "uint8"), bad=hl.empty(p.n, "uint8"), n=p.n)

    def reference(p, t, o, bad, n):
        tab = np.full(256, -1)
        for c in range(16):
            tab[ord(f"{c:x}")] = tab[ord(f"{c:X}")] = c
        v = tab[t].reshape(-1, 2)
        w = (v < 0).any(1)
        return dict(o=np.where(w, 0, v[:, 0] * 16 + v[:, 1]), bad=w.astype("u1"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "limit", "f is no digit", "c <= 'f'", "c < 'f'"),
    ("a", "limit", "g is a digit", "c <= 'f'", "c <= 'g'"),
    ("a", "limit", "slash is a digit", "c >= '0'", "c >= '/'"),
    (
        "a",
        "limit",
        "control characters become digits by the case bit",
        "    if (c >= '0' && c <= '9') return c - '0';\n    c |= 32;",
        "    c |= 32;\n    if (c >= '0' && c <= '9') return c - '0';",
    ),
    ("b", "barrier", "no barrier", "barrier(CLK_LOCAL_MEM_FENCE);", ""),
    ("b", "logic", "only both wrong are told", "h < 0 || l < 0", "h < 0 && l < 0"),
    ("b", "limit", "the table lacks F", "c < 71", "c < 70"),
]
