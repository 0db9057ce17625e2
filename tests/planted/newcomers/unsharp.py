"""Unsharp masking of grey bytes: twice the pixel less a 3 x 3 mean where they differ by more than a threshold, held to a byte."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uchar *x, __global uchar *o, int h, int w, int th) {
    int c = get_global_id(0), r = get_global_id(1);
    int s = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) s += x[clamp(r + j, 0, h - 1) * w + clamp(c + i, 0, w - 1)];
    int m = (s + 4) / 9, v = x[r * w + c];
    o[r * w + c] = abs(v - m) > th ? clamp(2 * v - m, 0, 255) : v;
}
"""
B = """
__kernel void k(__global const uchar *x, __global uchar *o, int h, int w, int th) {
    int r = get_global_id(0);
    if (r >= h) return;
    __global const uchar *a = x + max(r - 1, 0) * w, *b = x + r * w, *d = x + min(r + 1, h - 1) * w;
    int last = a[0] + b[0] + d[0], now = last;
    for (int c = 0; c < w; ++c) {
        int q = min(c + 1, w - 1), next = a[q] + b[q] + d[q];
        int m = (last + now + next + 4) * 7282 >> 16, v = b[c];
        o[r * w + c] = v - m > th || m - v > th ? convert_uchar_sat(2 * v - m) : v;
        last = now; now = next;
    }
}
"""


@hl.kernel(problem=dict(h=60, w=80), work=lambda p: hl.Work(flops=15 * p.h * p.w, bytes=2 * p.h * p.w))
class unsharp:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.h, p.w), dtype="u1"), o=hl.empty((p.h, p.w), "uint8"), h=p.h, w=p.w, th=12
        )

    def reference(p, x, o, h, w, th):
        e = np.pad(x.astype(int), 1, mode="edge")
        s = sum(e[j : j + h, i : i + w] for j in range(3) for i in range(3))
        m = (s + 4) // 9
        v = x.astype(int)
        return dict(o=np.where(abs(v - m) > th, np.clip(2 * v - m, 0, 255), v))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.w, p.h))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.h,))


MUTANTS = [
    ("a", "limit", "the threshold itself is sharpened", "> th", ">= th"),
    ("a", "clamp", "wraps instead of held", "clamp(2 * v - m, 0, 255)", "2 * v - m"),
    ("a", "edge", "columns held one too early", "clamp(c + i, 0, w - 1)", "clamp(c + i, 0, w - 2)"),
    ("a", "round", "rounded down", "(s + 4) / 9", "s / 9"),
    ("a", "scalar", "the threshold is a constant", "> th", "> 12"),
    ("b", "narrow", "sums of columns in a byte", "next = a[q] + b[q] + d[q]", "next = (uchar)(a[q] + b[q] + d[q])"),
    ("b", "clamp", "only from above", "convert_uchar_sat(2 * v - m)", "min(2 * v - m, 255)"),
    ("b", "order", "the window moves late", "last = now; now = next;", "now = next; last = now;"),
]
