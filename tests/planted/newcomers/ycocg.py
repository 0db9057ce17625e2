"""Colours to luma and two differences without loss (YCoCg-R)."""

import numpy as np

import hotloop as hl

A = """
__kernel void yc(__global const uchar *x, __global short *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uchar3 v = vload3(i, x);
    const int r = v.x, g = v.y, b = v.z, co = r - b, t = b + (co >> 1), cg = g - t;
    y[3 * i] = t + (cg >> 1);
    y[3 * i + 1] = co;
    y[3 * i + 2] = cg;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 2 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77), dict(n=256)],
)
class ycocg:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 256, (p.n, 3), dtype="u1"), y=hl.empty((p.n, 3), "i2"), n=p.n)

    def reference(p, x, y, n):
        r, g, b = x.astype("i8").T
        co = r - b
        t = b + (co >> 1)
        cg = g - t
        return dict(y=np.stack([t + (cg >> 1), co, cg], 1))

    a = hl.OpenCL(A, "yc", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "shift", "divided instead of shifted", "(co >> 1)", "co / 2"),
    ("a", "narrow", "a difference in 8 bits", "cg = g - t;", "cg = (char)(g - t);"),
    ("a", "bounds", "four bytes are read for three", "vload3(i, x);", "vload4(0, x + 3 * i).xyz;"),
    ("a", "index", "blue and red exchanged", "r = v.x, g = v.y, b = v.z", "r = v.z, g = v.y, b = v.x"),
    (
        "a",
        "bounds",
        "four values are stored for three",
        "    y[3 * i] = t + (cg >> 1);\n    y[3 * i + 1] = co;\n    y[3 * i + 2] = cg;",
        "    vstore4((short4)(t + (cg >> 1), co, cg, 0), 0, y + 3 * i);",
    ),
]
