"""Histogram of bytes: 256 counts."""

import numpy as np

import hotloop as hl

DIRECT = """
__kernel void count(__global const uchar *x, __global uint *h, const int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(h + x[i]);
}
"""
LOCAL = """
__kernel void count(__global const uchar *x, __global uint *h, const int n) {
    __local uint own[256];
    for (int b = get_local_id(0); b < 256; b += WG) own[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(own + x[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = get_local_id(0); b < 256; b += WG)
        if (own[b]) atomic_add(h + b, own[b]);
}
"""


@hl.kernel(
    problem=dict(n=300000),
    work=lambda p: hl.Work(flops=0, bytes=p.n + 1024),
    awkward=lambda p: [dict(n=1), dict(n=1009), dict(n=65537)],
)
class histogram8:
    def inputs(p, rng):
        x = rng.integers(0, 256, p.n, dtype="u1")
        return dict(x=x, h=np.zeros(256, "u4"), n=np.int32(p.n))

    def reference(p, x, h, n):
        return dict(h=h + np.bincount(x, minlength=256))

    direct = hl.OpenCL(DIRECT, "count", global_size=lambda p, c: (1024,))
    group = hl.OpenCL(
        LOCAL, "count", dict(WG=[64]), global_size=lambda p, c: (16 * c.WG,), local_size=lambda p, c: (c.WG,)
    )


MUTANTS = [
    ("direct", "atomic", "counts without atomics", "atomic_inc(h + x[i])", "h[x[i]] += 1"),
    ("direct", "signed", "bytes above 127 are taken as negative and dropped", "atomic_inc(h + x[i])", "{ const char v = x[i]; if (v >= 0) atomic_inc(h + v); }"),
    ("group", "bins", "the last bin is not added", "b < 256; b += WG)\n        if", "b < 255; b += WG)\n        if"),
    ("group", "barrier", "no barrier before the counts are added", "atomic_inc(own + x[i]);\n    barrier(CLK_LOCAL_MEM_FENCE);", "atomic_inc(own + x[i]);"),
    ("group", "cleared", "local counts are not cleared", "own[b] = 0;", ";"),
    ("group", "saturates", "more than 255 in a group are lost", "atomic_add(h + b, own[b])", "atomic_add(h + b, min(own[b], 255u))"),
    ("group", "narrow", "local counts in 16 bits when added", "atomic_add(h + b, own[b])", "atomic_add(h + b, (ushort)own[b])"),
    ("direct", "overwrites", "old counts are not kept", "for (int i", "if (get_global_id(0) < 256) h[get_global_id(0)] = 0;\n    for (int i"),
]  # fmt: skip
