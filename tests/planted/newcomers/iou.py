"""Overlap over union of every pair of boxes (left, top, right, bottom), 0 where both are empty; the best partner of each, the first of equals."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int4 *a, __global const int4 *b, __global float *iou, __global int *best, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int4 u = a[i];
    float top = -1;
    int at = 0;
    for (int j = 0; j < m; ++j) {
        const int4 v = b[j];
        const int w = min(u.z, v.z) - max(u.x, v.x), h = min(u.w, v.w) - max(u.y, v.y);
        const int both = max(w, 0) * max(h, 0);
        const int all = (u.z - u.x) * (u.w - u.y) + (v.z - v.x) * (v.w - v.y) - both;
        const float o = all > 0 ? (float)both / (float)all : 0.0f;
        iou[i * m + j] = o;
        if (o > top) { top = o; at = j; }
    }
    best[i] = at;
}
"""


@hl.kernel(
    problem=dict(n=70, m=50),
    work=lambda p: hl.Work(flops=15 * p.n * p.m, bytes=4 * p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=33, m=5)],
    tolerance=hl.Tolerance(terms=4),
    domain=dict(a="fixed", b="fixed"),
)
class iou:
    def inputs(p, rng):
        def boxes(n):
            at = rng.integers(0, 40, (n, 2))
            return np.concatenate([at, at + rng.integers(0, 30, (n, 2))], axis=1).astype("i4")

        return dict(
            a=boxes(p.n),
            b=boxes(p.m),
            iou=hl.empty((p.n, p.m)),
            best=hl.empty(p.n, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, a, b, iou, best, n, m):
        u, v = a.astype("i8")[:, None], b.astype("i8")[None]
        w = np.minimum(u[..., 2], v[..., 2]) - np.maximum(u[..., 0], v[..., 0])
        h = np.minimum(u[..., 3], v[..., 3]) - np.maximum(u[..., 1], v[..., 1])
        both = np.maximum(w, 0) * np.maximum(h, 0)
        area = lambda q: (q[..., 2] - q[..., 0]) * (q[..., 3] - q[..., 1])
        every = area(u) + area(v) - both
        o = np.where(every > 0, both / np.maximum(every, 1), 0.0)
        return dict(iou=o, best=o.argmax(1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "negative", "two negative sides make an overlap", "max(w, 0) * max(h, 0)", "max(w * h, 0)"),
    (
        "plain",
        "zero",
        "empty boxes divide by zero",
        "all > 0 ? (float)both / (float)all : 0.0f",
        "(float)both / (float)all",
    ),
    ("plain", "ties", "the last of equals", "if (o > top)", "if (o >= top)"),
    (
        "plain",
        "start",
        "partners without overlap are none",
        "float top = -1;\n    int at = 0;",
        "float top = 0;\n    int at = -1;",
    ),
    ("plain", "case", "the overlap is not taken away", "(v.w - v.y) - both;", "(v.w - v.y);"),
]
