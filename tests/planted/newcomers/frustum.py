"""Which of six planes each sphere lies behind, as bits, and how many spheres are seen."""

import numpy as np

import hotloop as hl

A = """
__kernel void cull(__global const int4 *ball, __global const int4 *plane, __global uchar *behind, __global int *seen, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int4 b = ball[i];
    uchar bits = 0;
    for (int k = 0; k < 6; ++k) {
        const int4 q = plane[k];
        const long away = (long)q.x * b.x + (long)q.y * b.y + (long)q.z * b.z + ((long)q.w << 16);
        if (away < -(long)b.w * 1024) bits |= 1 << k;
    }
    behind[i] = bits;
    if (!bits) atomic_inc(seen);
}
"""


@hl.kernel(
    problem=dict(n=1500),
    work=lambda p: hl.Work(flops=0, bytes=17 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(ball="range", plane="range"),
)
class frustum:
    def inputs(p, rng):
        ball = rng.integers(-5_000_000, 5_000_000, (p.n, 4), dtype="i4")
        plane = rng.integers(-1024, 1025, (6, 4), dtype="i4")
        return dict(ball=ball, plane=plane, behind=hl.empty(p.n, "u1"), seen=np.zeros(1, "i4"), n=p.n)

    def reference(p, ball, plane, behind, seen, n):
        b, q = ball.astype("i8"), plane.astype("i8")
        away = b[:, :3] @ q[:, :3].T + (q[:, 3] << 16)
        bits = ((away < -b[:, 3:] * 1024) << np.arange(6)).sum(1)
        return dict(behind=bits, seen=seen.astype("i8") + int((bits == 0).sum()))

    a = hl.OpenCL(A, "cull", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "type", "products of 32 bits", "(long)q.x * b.x", "q.x * b.x"),
    ("a", "bounds", "five planes", "k < 6; ++k", "k < 5; ++k"),
    ("a", "atomic", "no atomic", "atomic_inc(seen)", "seen[0]++"),
    ("a", "boundary", "touching counts as behind", "away < -(long)", "away <= -(long)"),
    ("a", "sign", "the radius has the other sign", "-(long)b.w * 1024", "(long)b.w * 1024"),
    ("a", "scalar", "the plane's distance is dropped", " + ((long)q.w << 16)", ""),
]
