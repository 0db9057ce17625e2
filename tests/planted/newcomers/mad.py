"""The median of each row of nine to thirty-two values, and the median distance from it; the mean of the two middle ones where the length is even."""

import numpy as np

import hotloop as hl

A = """
float mid(float *t, int w) {
    for (int i = 1; i < w; ++i) { float x = t[i]; int j = i; for (; j > 0 && t[j - 1] > x; --j) t[j] = t[j - 1]; t[j] = x; }
    return w & 1 ? t[w / 2] : 0.5f * (t[w / 2 - 1] + t[w / 2]);
}
__kernel void k(__global const float *x, __global float *m, __global float *d, int rows, int w) {
    int r = get_global_id(0);
    if (r >= rows) return;
    float t[32];
    for (int i = 0; i < w; ++i) t[i] = x[r * w + i];
    float a = mid(t, w);
    for (int i = 0; i < w; ++i) t[i] = fabs(t[i] - a);
    m[r] = a; d[r] = mid(t, w);
}
"""
B = """
__kernel void k(__global const float *x, __global float *m, __global float *d, int rows, int w) {
    __local float t[32], s[32];
    int r = get_group_id(0), l = get_local_id(0);
    for (int turn = 0; turn < 2; ++turn) {
        if (l < w) t[l] = turn ? fabs(x[r * w + l] - m[r]) : x[r * w + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < w) {
            int p = 0;
            for (int i = 0; i < w; ++i) p += t[i] < t[l] || (t[i] == t[l] && i < l);
            s[p] = t[l];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) {
            float a = (s[(w - 1) / 2] + s[w / 2]) * 0.5f;
            if (turn) d[r] = a; else m[r] = a;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(rows=500, w=20),
    work=lambda p: hl.Work(flops=2 * p.rows * p.w**2, bytes=4 * p.rows * p.w),
    awkward=lambda p: [dict(rows=1, w=9), dict(rows=33, w=32), dict(rows=10, w=15)],
    tolerance=hl.Tolerance(terms=2, factor=4, absolute=1e-6),
    domain=dict(x="finite"),
)
class mad:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.w), dtype="f4"), m=hl.empty(p.rows), d=hl.empty(p.rows), rows=p.rows, w=p.w
        )

    def reference(p, x, m, d, rows, w):
        x = x.astype("f8")
        a = np.median(x, axis=1)
        return dict(m=a, d=np.median(np.abs(x - a[:, None]), axis=1))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.rows,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.rows * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "even", "the upper middle where even", "0.5f * (t[w / 2 - 1] + t[w / 2])", "t[w / 2]"),
    ("a", "last", "the first is not moved", "j > 0 && t[j - 1] > x", "j > 1 && t[j - 1] > x"),
    ("a", "abs", "distances with sign", "fabs(t[i] - a)", "t[i] - a"),
    ("b", "ties", "equal values share a place", "t[i] < t[l] || (t[i] == t[l] && i < l)", "t[i] < t[l]"),
    ("b", "barrier", "no barrier between turns", "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", ""),
    (
        "b",
        "barrier",
        "no barrier before ranks are read",
        "            s[p] = t[l];\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "            s[p] = t[l];\n        }",
    ),
    ("b", "middle", "one place too high where odd", "s[(w - 1) / 2] + s[w / 2]", "s[w / 2] + s[w / 2]"),
]
