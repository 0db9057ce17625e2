"""How many segments of a list cross a given one properly; points of 20 bits."""

import numpy as np

import hotloop as hl

A = """
long side(int4 s, int x, int y) { return (long)(s.z - s.x) * (y - s.y) - (long)(s.w - s.y) * (x - s.x); }
__kernel void cross(__global const int4 *q, __global const int4 *s, __global int *count, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int4 a = q[i];
    int found = 0;
    for (int j = 0; j < m; ++j) {
        const int4 b = s[j];
        const long p = side(a, b.x, b.y), r = side(a, b.z, b.w), u = side(b, a.x, a.y), v = side(b, a.z, a.w);
        if (((p < 0 && r > 0) || (p > 0 && r < 0)) && ((u < 0 && v > 0) || (u > 0 && v < 0))) ++found;
    }
    count[i] = found;
}
"""


@hl.kernel(
    problem=dict(n=300, m=200),
    work=lambda p: hl.Work(flops=30 * p.n * p.m, bytes=16 * (p.n + p.m)),
    awkward=lambda p: [dict(n=1, m=1), dict(n=33, m=65)],
    domain=dict(q="range", s="range"),
)
class crossings:
    def inputs(p, rng):
        return dict(
            q=rng.integers(-500000, 500001, (p.n, 4), dtype="i4"),
            s=rng.integers(-500000, 500001, (p.m, 4), dtype="i4"),
            count=hl.empty(p.n, "i4"),
            n=p.n,
            m=p.m,
        )

    def reference(p, q, s, count, n, m):
        a, b = q.astype("i8")[:, None], s.astype("i8")[None]

        def side(k, x, y):
            return np.sign((k[..., 2] - k[..., 0]) * (y - k[..., 1]) - (k[..., 3] - k[..., 1]) * (x - k[..., 0]))

        one = side(a, b[..., 0], b[..., 1]) * side(a, b[..., 2], b[..., 3])
        two = side(b, a[..., 0], a[..., 1]) * side(b, a[..., 2], a[..., 3])
        return dict(count=((one < 0) & (two < 0)).sum(1))

    a = hl.OpenCL(A, "cross", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "type",
        "products in 32 bits",
        "long side(int4 s, int x, int y) { return (long)(s.z - s.x) * (y - s.y) - (long)(s.w - s.y) * (x - s.x); }",
        "int side(int4 s, int x, int y) { return (s.z - s.x) * (y - s.y) - (s.w - s.y) * (x - s.x); }",
    ),
    ("a", "touch", "ends that touch count", "(p > 0 && r < 0)", "(p >= 0 && r < 0)"),
    (
        "a",
        "type",
        "sides in float",
        "return (long)(s.z - s.x) * (y - s.y) - (long)(s.w - s.y) * (x - s.x);",
        "return (long)((float)(s.z - s.x) * (y - s.y) - (float)(s.w - s.y) * (x - s.x));",
    ),
    ("a", "half", "only one of the two is asked", "&& ((u < 0 && v > 0) || (u > 0 && v < 0))", ""),
    ("a", "product", "signs by a product", "((p < 0 && r > 0) || (p > 0 && r < 0))", "(p * r < 0)"),
]
