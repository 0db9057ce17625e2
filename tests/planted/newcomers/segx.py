"""Pairs of segments with integer ends: 0 apart, 1 crossing, 2 touching."""

import numpy as np

import hotloop as hl

SOURCE = """
int side(const int4 s, const int x, const int y) {
    const long c = ((long)s.z - s.x) * ((long)y - s.y) - ((long)s.w - s.y) * ((long)x - s.x);
    return (c > 0) - (c < 0);
}
int within(const int4 s, const int x, const int y) {
    return min(s.x, s.z) <= x && x <= max(s.x, s.z) && min(s.y, s.w) <= y && y <= max(s.y, s.w);
}
__kernel void meet(__global const int4 *a, __global const int4 *b, __global int *out, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int4 s = a[i], t = b[i];
    const int p = side(s, t.x, t.y), q = side(s, t.z, t.w), u = side(t, s.x, s.y), v = side(t, s.z, s.w);
    int r = 0;
    if (p * q < 0 && u * v < 0) r = 1;
    else if ((p == 0 && within(s, t.x, t.y)) || (q == 0 && within(s, t.z, t.w)) || (u == 0 && within(t, s.x, s.y)) ||
             (v == 0 && within(t, s.z, s.w)))
        r = 2;
    out[i] = r;
}
"""


@hl.kernel(
    problem=dict(n=8000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=36 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=100)],
    domain=dict(a="range", b="range"),
)
class segx:
    def inputs(p, rng):
        def drawn():
            wide = rng.integers(-1_000_000, 1_000_001, (p.n, 4))
            return np.where(rng.random((p.n, 1)) < 0.5, rng.integers(-4, 5, (p.n, 4)), wide).astype("i4")

        return dict(a=drawn(), b=drawn(), out=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, a, b, out, n):
        s, t = a.astype("i8").T, b.astype("i8").T

        def side(s, x, y):
            return np.sign((s[2] - s[0]) * (y - s[1]) - (s[3] - s[1]) * (x - s[0]))

        def on(s, x, y):
            inside = (np.minimum(s[0], s[2]) <= x) & (x <= np.maximum(s[0], s[2]))
            return (side(s, x, y) == 0) & inside & (np.minimum(s[1], s[3]) <= y) & (y <= np.maximum(s[1], s[3]))

        cross = (side(s, t[0], t[1]) * side(s, t[2], t[3]) < 0) & (side(t, s[0], s[1]) * side(t, s[2], s[3]) < 0)
        touch = on(s, t[0], t[1]) | on(s, t[2], t[3]) | on(t, s[0], s[1]) | on(t, s[2], s[3])
        return dict(out=np.where(cross, 1, np.where(touch, 2, 0)))

    plain = hl.OpenCL(SOURCE, "meet", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "type",
        "products in 32 bits",
        "const long c = ((long)s.z - s.x) * ((long)y - s.y) - ((long)s.w - s.y) * ((long)x - s.x);",
        "const int c = (s.z - s.x) * (y - s.y) - (s.w - s.y) * (x - s.x);",
    ),
    (
        "plain",
        "type",
        "products in float",
        "const long c = ((long)s.z - s.x) * ((long)y - s.y) - ((long)s.w - s.y) * ((long)x - s.x);",
        "const float c = (float)(s.z - s.x) * (y - s.y) - (float)(s.w - s.y) * (x - s.x);",
    ),
    (
        "plain",
        "boundary",
        "ends are not part of segments",
        "min(s.x, s.z) <= x && x <= max(s.x, s.z)",
        "min(s.x, s.z) <= x && x < max(s.x, s.z) + (s.x == s.z)",
    ),
    (
        "plain",
        "branch",
        "one end of the first segment is not looked at",
        " ||\n             (v == 0 && within(t, s.z, s.w))",
        "",
    ),
    ("plain", "limit", "touching counts as crossing", "p * q < 0 && u * v < 0", "p * q <= 0 && u * v < 0"),
    (
        "plain",
        "limit",
        "collinear segments meet",
        "(p == 0 && within(s, t.x, t.y))",
        "(p == 0 && (within(s, t.x, t.y) || (q == 0 && s.x == s.z && s.x == t.x && s.y != s.w)))",
    ),
]
