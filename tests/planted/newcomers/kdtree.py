"""Squared distance of points to the nearest of others, in a balanced tree without pointers."""

import numpy as np

import hotloop as hl

S = r"""
__kernel void near(__global const float *nodes, __global const float *q, __global float *best, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= m) return;
    const float qx = q[2 * i], qy = q[2 * i + 1];
    int stack[40]; int depth[40]; int top = 0;
    float b = INFINITY;
    stack[0] = 0; depth[0] = 0; top = 1;
    while (top) {
        const int at = stack[--top], d = depth[top];
        if (at >= n) continue;
        const float dx = qx - nodes[2 * at], dy = qy - nodes[2 * at + 1];
        b = fmin(b, dx * dx + dy * dy);
        const float side = (d & 1) ? dy : dx;
        const int close = 2 * at + (side < 0 ? 1 : 2), far = 2 * at + (side < 0 ? 2 : 1);
        if (side * side <= b) { stack[top] = far; depth[top++] = d + 1; }
        stack[top] = close; depth[top++] = d + 1;
    }
    best[i] = b;
}
"""


def build(points, depth=0):
    """Left-balanced kd-tree in heap order."""
    n = len(points)
    out = np.empty_like(points)

    def put(at, rows, axis):
        if at >= n:
            return
        count = len(rows)
        rows = rows[np.argsort(rows[:, axis], kind="stable")]
        h = int(np.log2(count)) if count else 0
        full = (1 << h) - 1
        last = count - full
        left = (full - 1) // 2 + min(last, (full + 1) // 2) if count > 1 else 0
        out[at] = rows[left]
        put(2 * at + 1, rows[:left], 1 - axis) if left else None
        put(2 * at + 2, rows[left + 1 :], 1 - axis) if count - left - 1 else None

    put(0, points, 0)
    return out


@hl.kernel(
    problem=dict(n=1500, m=700),
    work=lambda p: hl.Work(flops=8 * p.m * np.log2(p.n + 1), bytes=8 * (p.n + p.m)),
    awkward=lambda p: [dict(n=1, m=1), dict(n=31, m=65), dict(n=100, m=3)],
    tolerance=hl.Tolerance(terms=6),
)
class kdtree:
    def inputs(p, rng):
        return dict(
            nodes=build(rng.random((p.n, 2), "f4")), q=rng.random((p.m, 2), "f4"), best=hl.empty(p.m), n=p.n, m=p.m
        )

    def reference(p, nodes, q, best, n, m):
        d = q.astype("f8")[:, None] - nodes.astype("f8")[None]
        return dict(best=(d**2).sum(-1).min(1))

    plain = hl.OpenCL(S, "near", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("plain", "shortcut", "the far side is never entered", "if (side * side <= b)", "if (side * side <= b * 0.25f)"),
    ("plain", "limit", "the last node is not seen", "at >= n", "at >= n - 1"),
]
