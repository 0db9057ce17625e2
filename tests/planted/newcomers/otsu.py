"""Otsu's threshold of each image: the grey level after which the variance between both classes is largest, the first of equals."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void otsu(__global const uchar *x, __global int *o, const int n) {
    __local uint count[256];
    __local ulong best[64];
    const int l = get_local_id(0), b = get_group_id(0);
    for (int g = l; g < 256; g += 64) count[g] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < n; i += 64) atomic_inc(&count[x[b * n + i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong top = 0;
    long total = 0;
    for (int g = 0; g < 256; ++g) total += (long)g * count[g];
    for (int t = l; t < 255; t += 64) {
        long w = 0, s = 0;
        for (int g = 0; g <= t; ++g) { w += count[g]; s += (long)g * count[g]; }
        if (w == 0 || w == n) continue;
        const long d = total * w - s * n;
        const ulong v = (ulong)(d * d) / (ulong)(w * (n - w));
        const ulong key = (v << 8) | (ulong)(255 - t);
        if (key > top) top = key;
    }
    best[l] = top;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 32; h > 0; h >>= 1) {
        if (l < h && best[l + h] > best[l]) best[l] = best[l + h];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[b] = best[0] ? 255 - (int)(best[0] & 255) : -1;
}
"""


@hl.kernel(
    problem=dict(images=40, n=700),
    work=lambda p: hl.Work(flops=0, bytes=p.images * p.n),
    awkward=lambda p: [dict(images=1, n=1), dict(images=3, n=2), dict(images=5, n=65)],
    domain=dict(n="fixed"),
)
class otsu:
    def inputs(p, rng):
        low, high = rng.integers(0, 200, p.images)[:, None], rng.integers(1, 56, p.images)[:, None]
        return dict(
            x=(low + rng.integers(0, 256, (p.images, p.n)) % high).astype("u1"), o=hl.empty(p.images, "i4"), n=p.n
        )

    def reference(p, x, o, n):
        out = np.full(p.images, -1, "i8")
        for b, row in enumerate(x):
            count = np.bincount(row, minlength=256).astype(object)
            total, w, s, top = sum(g * c for g, c in enumerate(count)), 0, 0, -1
            for t in range(255):
                w, s = w + count[t], s + t * count[t]
                if w in (0, p.n):
                    continue
                v = (total * w - s * p.n) ** 2 // (w * (p.n - w))
                if v > top:
                    top, out[b] = v, t
        return dict(o=out)

    a = hl.OpenCL(A, "otsu", global_size=lambda p, c: (64 * p.images,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "uninitialised", "counts are not cleared", "count[g] = 0;", ";"),
    ("a", "atomic", "counted without an atomic", "atomic_inc(&count[x[b * n + i]])", "count[x[b * n + i]]++"),
    (
        "a",
        "barrier",
        "no barrier before counts are read",
        "atomic_inc(&count[x[b * n + i]]);\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "atomic_inc(&count[x[b * n + i]]);",
    ),
    (
        "a",
        "barrier",
        "no barrier in the tree",
        "best[l] = best[l + h];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "best[l] = best[l + h];",
    ),
    ("a", "ties", "the last of equals", "(ulong)(255 - t)", "(ulong)t"),
    ("a", "bounds", "the level itself belongs above", "for (int g = 0; g <= t; ++g)", "for (int g = 0; g < t; ++g)"),
    ("a", "narrow", "squares in 32 bits", "(ulong)(d * d)", "(ulong)(uint)(d * d)"),
    ("a", "bounds", "one class may be empty", "if (w == 0 || w == n) continue;", "if (w == 0) continue;"),
    ("a", "reduction", "the last step is left out", "h > 0; h >>= 1", "h > 1; h >>= 1"),
    ("a", "bounds", "a tree one step too wide", "int h = 32;", "int h = 64;"),
]
