"""Vectors in whole numbers turned by angles, sixteen steps of shifts and additions."""

import numpy as np

import hotloop as hl

A = """
__constant int angle[16] = {421657428, 248918915, 131521918, 66762579, 33510843, 16771758, 8387925, 4194219, 2097141, 1048575, 524288, 262144, 131072, 65536, 32768, 16384};
__kernel void co(__global const int *x, __global const int *y, __global const int *z, __global int *u, __global int *v, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int a = x[i], b = y[i], t = z[i];
    for (int k = 0; k < 16; ++k) {
        const int s = t >> 31, da = ((b >> k) ^ s) - s, db = ((a >> k) ^ s) - s;
        a -= da;
        b += db;
        t -= (angle[k] ^ s) - s;
    }
    u[i] = a;
    v[i] = b;
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=77), dict(n=256)],
    domain=dict(x="range", y="range", z="range"),
)
class cordic:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-(2**28), 2**28, p.n, dtype="i4"),
            y=rng.integers(-(2**28), 2**28, p.n, dtype="i4"),
            z=rng.integers(-(2**29), 2**29, p.n, dtype="i4"),
            u=hl.empty(p.n, "i4"),
            v=hl.empty(p.n, "i4"),
            n=p.n,
        )

    def reference(p, x, y, z, u, v, n):
        a, b, t = x.astype("i8"), y.astype("i8"), z.astype("i8")
        for k, angle in enumerate(
            [
                421657428,
                248918915,
                131521918,
                66762579,
                33510843,
                16771758,
                8387925,
                4194219,
                2097141,
                1048575,
                524288,
                262144,
                131072,
                65536,
                32768,
                16384,
            ]
        ):
            s = np.where(t < 0, -1, 1)
            a, b, t = a - s * (b >> k), b + s * (a >> k), t - s * angle
        return dict(u=a, v=b)

    a = hl.OpenCL(A, "co", global_size=lambda p, c: (-(-p.n // 64) * 64,))


MUTANTS = [
    (
        "a",
        "order",
        "the new x turns y",
        "db = ((a >> k) ^ s) - s;\n        a -= da;",
        "db = (((a - da) >> k) ^ s) - s;\n        a -= da;",
    ),
    ("a", "shift", "divided instead of shifted", "da = ((b >> k) ^ s) - s", "da = ((b / (1 << k)) ^ s) - s"),
    ("a", "steps", "fifteen steps", "k < 16; ++k", "k < 15; ++k"),
    ("a", "limit", "an angle of zero turns the other way", "s = t >> 31", "s = t > 0 ? 0 : -1"),
    ("a", "sign", "x shifted as unsigned", "db = ((a >> k) ^ s)", "db = ((int)((uint)a >> k) ^ s)"),
    ("a", "bounds", "one angle further, the last behind the table", "t -= (angle[k] ^ s)", "t -= (angle[k + 1] ^ s)"),
]
