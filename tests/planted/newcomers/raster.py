"""How many pixel centres small triangles cover, edges in 4 bits of fraction, with the rule of top and left edges."""

import numpy as np

import hotloop as hl

A = """
int edge(int ax, int ay, int bx, int by, int px, int py) { return (bx - ax) * (py - ay) - (by - ay) * (px - ax); }
int own(int ax, int ay, int bx, int by) { return ay == by ? bx > ax : by < ay; }
__kernel void k(__global const int *v, __global int *o, int n, int side) {
    int t = get_global_id(0);
    if (t >= n) return;
    int ax = v[6*t], ay = v[6*t+1], bx = v[6*t+2], by = v[6*t+3], cx = v[6*t+4], cy = v[6*t+5];
    if (edge(ax, ay, bx, by, cx, cy) < 0) { int s = bx; bx = cx; cx = s; s = by; by = cy; cy = s; }
    int r = 0;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            int px = 16 * x + 8, py = 16 * y + 8;
            int e0 = edge(ax, ay, bx, by, px, py), e1 = edge(bx, by, cx, cy, px, py), e2 = edge(cx, cy, ax, ay, px, py);
            r += (e0 > 0 || (e0 == 0 && own(ax, ay, bx, by))) && (e1 > 0 || (e1 == 0 && own(bx, by, cx, cy))) && (e2 > 0 || (e2 == 0 && own(cx, cy, ax, ay)));
        }
    o[t] = edge(ax, ay, bx, by, cx, cy) ? r : 0;
}
"""
B = """
__kernel void k(__global const int *v, __global int *o, int n, int side) {
    int t = get_global_id(0);
    if (t >= n) return;
    int2 q[4];
    for (int e = 0; e < 3; ++e) q[e] = vload2(3 * t + e, v);
    int area = (q[1].x - q[0].x) * (q[2].y - q[0].y) - (q[1].y - q[0].y) * (q[2].x - q[0].x);
    if (area < 0) { int2 s = q[1]; q[1] = q[2]; q[2] = s; }
    q[3] = q[0];
    int r = 0;
    for (int p = 0; p < side * side; ++p) {
        int px = 16 * (p % side) + 8, py = 16 * (p / side) + 8, in = 1;
        for (int e = 0; e < 3; ++e) {
            int dx = q[e + 1].x - q[e].x, dy = q[e + 1].y - q[e].y;
            int bias = dy < 0 || (dy == 0 && dx > 0) ? 0 : -1;
            in &= dx * (py - q[e].y) - dy * (px - q[e].x) + bias >= 0;
        }
        r += in;
    }
    o[t] = area == 0 ? 0 : r;
}
"""


@hl.kernel(
    problem=dict(n=600, side=16),
    work=lambda p: hl.Work(flops=20 * p.n * p.side**2, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65, side=7)],
)
class raster:
    def inputs(p, rng):
        v = rng.integers(0, 16 * p.side, 6 * p.n, dtype="i4")
        v[: 6 * (p.n // 2)] = v[: 6 * (p.n // 2)] // 8 * 8
        return dict(v=v, o=hl.empty(p.n, "int32"), n=p.n, side=p.side)

    def reference(p, v, o, n, side):
        t = v.astype("i8").reshape(-1, 3, 2)
        area = (t[:, 1, 0] - t[:, 0, 0]) * (t[:, 2, 1] - t[:, 0, 1]) - (t[:, 1, 1] - t[:, 0, 1]) * (
            t[:, 2, 0] - t[:, 0, 0]
        )
        t = np.where((area < 0)[:, None, None], t[:, [0, 2, 1]], t)
        y, x = np.mgrid[:side, :side] * 16 + 8
        m = np.ones((len(t), side, side), bool)
        for e in range(3):
            a, b = t[:, e], t[:, (e + 1) % 3]
            d = (b - a)[:, :, None, None]
            f = d[:, 0] * (y - a[:, 1, None, None]) - d[:, 1] * (x - a[:, 0, None, None])
            mine = (d[:, 1] < 0) | ((d[:, 1] == 0) & (d[:, 0] > 0))
            m &= (f > 0) | ((f == 0) & mine)
        return dict(o=np.where(area == 0, 0, m.sum((1, 2))))

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "ties", "every edge counts", "e1 == 0 && own(bx, by, cx, cy)", "e1 == 0"),
    ("a", "ties", "flat edges belong to nobody", "ay == by ? bx > ax : by < ay", "by < ay"),
    ("a", "order", "no turn of clockwise ones", "if (edge(ax, ay, bx, by, cx, cy) < 0)", "if (0)"),
    ("a", "centre", "corners instead of centres", "px = 16 * x + 8", "px = 16 * x"),
    ("b", "last", "the last pixel is left out", "p < side * side", "p < side * side - 1"),
    ("b", "swap", "x and y by side - 1", "16 * (p / side)", "16 * (p / (side - 1))"),
    ("b", "ties", "right edges in place of left ones", "dy < 0 ||", "dy > 0 ||"),
]
