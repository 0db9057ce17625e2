"""Products of intervals of whole numbers, [a, b] times [c, d], and whether zero lies within: short ends, long results."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const short *a, __global const short *b, __global const short *c, __global const short *d, __global int *lo, __global int *hi, __global uchar *zero, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    int p = a[i] * c[i], q = a[i] * d[i], r = b[i] * c[i], s = b[i] * d[i];
    int l = min(min(p, q), min(r, s)), h = max(max(p, q), max(r, s));
    lo[i] = l; hi[i] = h; zero[i] = l <= 0 && h >= 0;
}
"""
B = """
__kernel void k(__global const short *a, __global const short *b, __global const short *c, __global const short *d, __global int *lo, __global int *hi, __global uchar *zero, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    int w = a[i], x = b[i], y = c[i], z = d[i], l, h;
    if (w >= 0) { l = (y >= 0 ? w : x) * y; h = (z >= 0 ? x : w) * z; }
    else if (x <= 0) { l = (z >= 0 ? w : x) * z; h = (y >= 0 ? x : w) * y; }
    else if (y >= 0) { l = w * z; h = x * z; }
    else if (z <= 0) { l = x * y; h = w * y; }
    else { l = min(w * z, x * y); h = max(w * y, x * z); }
    lo[i] = l; hi[i] = h; zero[i] = !(l > 0 || h < 0);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=12 * p.n, bytes=17 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=99)],
    domain=dict(a="intervals", b="intervals", c="intervals", d="intervals"),
)
class boxmul:
    def inputs(p, rng):
        e = np.sort(rng.integers(-30000, 30000, (2, p.n, 2), dtype="i2"), axis=-1)
        e[:, rng.random(p.n) < 0.2] //= 5000
        f = lambda s, t: np.ascontiguousarray(e[s, :, t])
        return dict(
            a=f(0, 0),
            b=f(0, 1),
            c=f(1, 0),
            d=f(1, 1),
            lo=hl.empty(p.n, "int32"),
            hi=hl.empty(p.n, "int32"),
            zero=hl.empty(p.n, "uint8"),
            n=p.n,
        )

    def reference(p, a, b, c, d, lo, hi, zero, n):
        a, b, c, d = (v.astype("i8") for v in (a, b, c, d))
        e = np.stack([a * c, a * d, b * c, b * d])
        return dict(lo=e.min(0), hi=e.max(0), zero=((e.min(0) <= 0) & (e.max(0) >= 0)).astype("u1"))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "swap", "one product twice", "r = b[i] * c[i]", "r = a[i] * c[i]"),
    ("a", "limit", "a zero end does not count", "l <= 0 && h >= 0", "l < 0 && h > 0"),
    ("a", "limit", "a zero end below does not count", "l <= 0 && h >= 0", "l < 0 && h >= 0"),
    ("a", "narrow", "a product in 16 bits", "s = b[i] * d[i]", "s = (short)(b[i] * d[i])"),
    ("b", "case", "mixed signs: the lower only by one", "l = min(w * z, x * y)", "l = w * z"),
    ("b", "case", "mixed signs: the upper only by one", "h = max(w * y, x * z)", "h = x * z"),
    ("b", "case", "negative times mixed", "(z >= 0 ? w : x) * z", "w * z"),
    ("b", "case", "mixed times positive", "l = w * z; h = x * z", "l = w * z; h = x * y"),
]
