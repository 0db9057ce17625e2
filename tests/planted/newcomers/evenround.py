"""Quotients of signed 64-bit numbers rounded to the nearest, halves to even; by zero: the end of the type by the sign, zero by zero zero."""

import numpy as np

import hotloop as hl

FLAT = """
__kernel void k(__global const long *a, __global const int *d, __global long *q, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const long x = a[i], y = d[i];
    if (y == 0) { q[i] = x > 0 ? LONG_MAX : x < 0 ? LONG_MIN : 0; return; }
    if (x == LONG_MIN && y == -1) { q[i] = LONG_MAX; return; }
    const long t = x / y, r = x - t * y;
    const ulong twice = 2 * abs(r), most = abs(y);
    const long step = (x < 0) != (y < 0) ? -1 : 1;
    q[i] = twice > most || (twice == most && (t & 1)) ? t + step : t;
}
"""


@hl.kernel(
    problem=dict(n=8000),
    work=lambda p: hl.Work(flops=0, bytes=20 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=1001)],
)
class evenround:
    def inputs(p, rng):
        a = rng.integers(-(2**63), 2**63, p.n, dtype="i8")
        small = rng.random(p.n) < 0.6
        a[small] = rng.integers(-50, 51, small.sum())
        return dict(a=a, d=rng.integers(-12, 13, p.n).astype("i4"), q=hl.empty(p.n, "i8"), n=np.int32(p.n))

    def reference(p, a, d, q, n):
        out = np.empty(p.n, "i8")
        for i, (x, y) in enumerate(zip(a.tolist(), d.tolist(), strict=True)):
            if y == 0:
                out[i] = 0 if x == 0 else (2**63 - 1 if x > 0 else -(2**63))
                continue
            t, r = divmod(x, y)
            twice = 2 * abs(r)
            t += twice > abs(y) or (twice == abs(y) and t % 2 == 1)
            out[i] = min(t, 2**63 - 1)
        return dict(q=out)

    flat = hl.OpenCL(FLAT, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("flat", "ties", "halves away from zero", "(twice == most && (t & 1))", "twice == most"),
    ("flat", "sign", "the step is always up", "(x < 0) != (y < 0) ? -1 : 1", "1"),
    (
        "flat",
        "overflow",
        "quotients near the end are one less",
        "q[i] = LONG_MAX; return; }\n    const",
        "q[i] = LONG_MAX - 1; return; }\n    const",
    ),
    ("flat", "zero", "zero by zero is the largest number", "x > 0 ? LONG_MAX", "x >= 0 ? LONG_MAX"),
    ("flat", "type", "by a double", "const long t = x / y,", "const long t = (long)((double)x / (double)y),"),
]
