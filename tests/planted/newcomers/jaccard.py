"""How much two sets of bits share: shared over together, one for two empty ones."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uint *a, __global const uint *b, __global float *o, const int n, const int w) {
    int i = get_global_id(0), s = 0, t = 0;
    if (i >= n) return;
    for (int j = 0; j < w; ++j) { s += popcount(a[i * w + j] & b[i * w + j]); t += popcount(a[i * w + j] | b[i * w + j]); }
    o[i] = t ? (float)s / t : 1.0f;
}
"""
B = """
__kernel void k(__global const uint *a, __global const uint *b, __global float *o, const int n, const int w) {
    __local int s, t;
    int i = get_group_id(0), l = get_local_id(0);
    if (!l) s = t = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int u = 0, v = 0;
    for (int j = l; j < w; j += 32) { uint x = a[i * w + j], y = b[i * w + j]; u += popcount(x & y); v += popcount(x) + popcount(y); }
    atomic_add(&s, u); atomic_add(&t, v);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!l) o[i] = t == 0 ? 1.0f : s / (float)(t - s);
}
"""


@hl.kernel(
    problem=dict(n=300, w=50),
    work=lambda p: hl.Work(flops=4 * p.n * p.w, bytes=8 * p.n * p.w),
    awkward=lambda p: [dict(n=1, w=1), dict(n=9, w=33), dict(n=64, w=3)],
)
class jaccard:
    def inputs(p, rng):
        a, b = rng.integers(0, 2**32, (2, p.n, p.w), dtype="u4")
        a[::9] &= b[::9]
        a[::13] = 0
        b[::26] = 0
        return dict(a=a, b=b, o=hl.empty(p.n), n=p.n, w=p.w)

    def reference(p, a, b, o, n, w):
        c = lambda v: np.bitwise_count(v).sum(1, dtype="i8")
        s, t = c(a & b), c(a | b)
        return dict(o=np.where(t, s / np.maximum(t, 1), 1.0))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "case", "two empty sets share nothing", "s / t : 1.0f", "s / t : 0.0f"),
    ("a", "case", "empty sets are not thought of", "t ? (float)s / t : 1.0f", "(float)s / t"),
    ("a", "bits", "exclusive or", "a[i * w + j] | b", "a[i * w + j] ^ b"),
    ("a", "type", "a quotient of whole numbers", "(float)s / t", "(float)(s / t)"),
    ("a", "limit", "the last word is left", "j < w;", "j < w - 1;"),
    ("b", "race", "added without atomics", "atomic_add(&t, v)", "t += v"),
    ("b", "poison", "sums start anywhere", "    if (!l) s = t = 0;\n", ""),
    ("b", "formula", "shared ones count twice", "(t - s)", "t"),
]
