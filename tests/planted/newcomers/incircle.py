"""Whether a fourth point lies inside the circle through three others, by exact determinants."""

import numpy as np

import hotloop as hl

A = """
__kernel void ic(__global const short2 *q, __global char *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const short2 a = q[4 * i], b = q[4 * i + 1], c = q[4 * i + 2], d = q[4 * i + 3];
    const long ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
    const long as = ax * ax + ay * ay, bs = bx * bx + by * by, cs = cx * cx + cy * cy;
    const long det = as * (bx * cy - by * cx) - bs * (ax * cy - ay * cx) + cs * (ax * by - ay * bx);
    o[i] = det > 0 ? 1 : det < 0 ? -1 : 0;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 5 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=513)],
    domain=dict(q="range"),
)
class incircle:
    def inputs(p, rng):
        q = rng.integers(-4096, 4096, (p.n, 4, 2), dtype="i2")
        q[::5, 3] = q[::5, 1]
        q[1::5, 3, 0], q[1::5, 3, 1] = q[1::5, 0, 0], q[1::5, 2, 1]
        q[1::5, 1, 0], q[1::5, 1, 1] = q[1::5, 2, 0], q[1::5, 0, 1]
        return dict(q=q, o=hl.empty(p.n, "i1"), n=p.n)

    def reference(p, q, o, n):
        t = q.astype("i8")
        (ax, ay), (bx, by), (cx, cy) = ((t[:, k] - t[:, 3]).T for k in range(3))
        det = (
            (ax**2 + ay**2) * (bx * cy - by * cx)
            - (bx**2 + by**2) * (ax * cy - ay * cx)
            + (cx**2 + cy**2) * (ax * by - ay * bx)
        )
        return dict(o=np.sign(det))

    a = hl.OpenCL(A, "ic", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "overflow", "the determinant in 32 bits", "const long det = as", "const int det = (int)as"),
    ("a", "precision", "the determinant in float", "const long det = as *", "const float det = (float)as *"),
    ("a", "ties", "points on the circle are inside", "det > 0 ? 1", "det >= 0 ? 1"),
    ("a", "overflow", "differences in 8 bits", "const long ax = a.x - d.x,", "const long ax = (char)(a.x - d.x),"),
    ("a", "sign", "a minor has the other sign", "- bs * (ax", "+ bs * (ax"),
    (
        "a",
        "tail",
        "the last quadruple of an odd number is lost",
        "if (i >= n) return;",
        "if (i >= (n & ~1) + (n == 1)) return;",
    ),
]
