"""Steps until a point of the plane escapes, in fixed point with 24 bits behind the point."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *cx, __global const int *cy, __global ushort *steps, const int n, const int most) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long x = 0, y = 0;
    int s = 0;
    while (s < most) {
        const long xx = (x * x) >> 24, yy = (y * y) >> 24;
        if (xx + yy > (4L << 24)) break;
        y = ((x * y) >> 23) + cy[i];
        x = xx - yy + cx[i];
        ++s;
    }
    steps[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=3000, most=300),
    work=lambda p: hl.Work(flops=0, bytes=10 * p.n),
    awkward=lambda p: [dict(n=1, most=1), dict(n=67, most=40)],
    domain=dict(cx="range", cy="range"),
)
class mandel:
    def inputs(p, rng):
        return dict(
            cx=rng.integers(-(2 << 24), 1 << 23, p.n, dtype="i4"),
            cy=rng.integers(-(1 << 24), 1 << 24, p.n, dtype="i4"),
            steps=hl.empty(p.n, "u2"),
            n=np.int32(p.n),
            most=np.int32(p.most),
        )

    def reference(p, cx, cy, steps, n, most):
        x = np.zeros(p.n, "i8")
        y, s, live = x.copy(), x.copy(), np.ones(p.n, bool)
        for _ in range(p.most):
            xx, yy = (x * x) >> 24, (y * y) >> 24
            live &= xx + yy <= (4 << 24)
            if not live.any():
                break
            y = np.where(live, ((x * y) >> 23) + cy, y)
            x = np.where(live, xx - yy + cx, x)
            s += live
        return dict(steps=s)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "shift", "division rounds towards zero", "((x * y) >> 23)", "((x * y) / (1 << 23))"),
    ("plain", "type", "steps in eight bits", "steps[i] = s;", "steps[i] = (uchar)s;"),
    ("plain", "bounds", "escapes at four, too", "xx + yy > (4L << 24)", "xx + yy >= (4L << 24)"),
    (
        "plain",
        "order",
        "y is taken from the new x",
        "        y = ((x * y) >> 23) + cy[i];\n        x = xx - yy + cx[i];",
        "        x = xx - yy + cx[i];\n        y = ((x * y) >> 23) + cy[i];",
    ),
    ("plain", "precision", "23 bits of the product", "((x * y) >> 23)", "(((x >> 1) * y) >> 22)"),
    ("plain", "bounds", "one step less", "while (s < most)", "while (s < most - 1)"),
]
