"""Iterations until points of the plane escape (Mandelbrot set), at most a limit; points on a fixed-point grid."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void escape_(__global const int *cx, __global const int *cy, __global int *t, const int n, const int limit) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long x = 0, y = 0;
    int count = 0;
    while (count < limit && x * x + y * y <= (4l << 24)) {
        const long next = ((x * x - y * y) >> 12) + cx[i];
        y = ((2 * x * y) >> 12) + cy[i];
        x = next;
        ++count;
    }
    t[i] = count;
}
"""
FOR = """
__kernel void escape_(__global const int *cx, __global const int *cy, __global int *t, const int n, const int limit) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long x = 0, y = 0;
    int count = limit;
    for (int s = 0; s < limit; ++s) {
        if (x * x + y * y > (4l << 24)) { count = s; break; }
        const long next = ((x * x - y * y) >> 12) + cx[i];
        y = ((x * y) >> 11) + cy[i];
        x = next;
    }
    t[i] = count;
}
"""


@hl.kernel(
    problem=dict(n=3000, limit=60),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1, limit=1), dict(n=65, limit=7), dict(n=129, limit=100)],
)
class escape:
    def inputs(p, rng):
        cx, cy = (rng.integers(-8192, 8192, p.n, dtype="i4") for _ in range(2))
        return dict(cx=cx, cy=cy, t=hl.empty(p.n, "int32"), n=np.int32(p.n), limit=np.int32(p.limit))

    def reference(p, cx, cy, t, n, limit):
        x, y, count = np.zeros(p.n, "i8"), np.zeros(p.n, "i8"), np.zeros(p.n, "i8")
        for _ in range(p.limit):
            inside = x * x + y * y <= 4 << 24
            new = ((x * x - y * y) >> 12) + cx
            y, x = np.where(inside, ((2 * x * y) >> 12) + cy, y), np.where(inside, new, x)
            count += inside
        return dict(t=count)

    plain = hl.OpenCL(PLAIN, "escape_", global_size=lambda p, c: (p.n,))
    counted = hl.OpenCL(FOR, "escape_", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "rounding",
        "quotients instead of shifts: negative numbers round the other way",
        "((2 * x * y) >> 12)",
        "((2 * x * y) / 4096)",
    ),
    ("plain", "limit", "one iteration more", "count < limit &&", "count <= limit &&"),
    (
        "plain",
        "order",
        "the new x is used for y",
        "const long next = ((x * x - y * y) >> 12) + cx[i];\n        y = ((2 * x * y) >> 12) + cy[i];\n        x = next;",
        "x = ((x * x - y * y) >> 12) + cx[i];\n        y = ((2 * x * y) >> 12) + cy[i];",
    ),
    ("counted", "swap", "the imaginary part stands for the real one", "+ cx[i]", "+ cy[i]"),
    ("counted", "radius", "a radius of less than two", "(4l << 24)", "((4l << 24) - (1l << 22))"),
    ("counted", "precision", "one bit less", ">> 11)", ">> 12) * 2"),
]
