"""Nanoseconds since midnight of some day, also before it, to day, hour, minute, second and millisecond: quotients rounded down."""

import numpy as np

import hotloop as hl

PLAIN = """
long down(long a, long b) { const long q = a / b; return q - (a % b < 0); }
__kernel void k(__global const long *t, __global int *o, const int n, const int offset) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const long v = t[i] + offset * 60000000000l;
    const long day = down(v, 86400000000000l);
    const long rest = v - day * 86400000000000l;
    o[5 * i] = (int)day;
    o[5 * i + 1] = (int)(rest / 3600000000000l);
    o[5 * i + 2] = (int)(rest / 60000000000l % 60);
    o[5 * i + 3] = (int)(rest / 1000000000l % 60);
    o[5 * i + 4] = (int)(rest / 1000000l % 1000);
}
"""
FLOATS = """
__kernel void k(__global const long *t, __global int *o, const int n, const int offset) {
    const int i = get_global_id(0);
    if (i >= n) return;
    long ms = t[i] >= 0 ? t[i] / 1000000 : -((999999 - t[i]) / 1000000);
    ms += offset * 60000;
    long day = (long)floor((double)ms / 86400000.0);
    int left = (int)(ms - day * 86400000);
    o[5 * i] = (int)day;
    for (int k = 1; k < 5; ++k) {
        const int unit = k == 1 ? 3600000 : k == 2 ? 60000 : k == 3 ? 1000 : 1;
        o[5 * i + k] = left / unit;
        left -= left / unit * unit;
    }
}
"""


@hl.kernel(
    problem=dict(n=4001),
    work=lambda p: hl.Work(flops=0, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=500)],
    domain=dict(t="range", offset="range"),
)
class clocktime:
    def inputs(p, rng):
        t = rng.integers(-(2**60), 2**60, p.n)
        edge = rng.integers(-10000, 10000, p.n) * 86400000000000 + rng.integers(-1, 2, p.n)
        return dict(
            t=np.where(rng.random(p.n) < 0.3, edge, t),
            o=hl.empty((p.n, 5), "i4"),
            n=np.int32(p.n),
            offset=np.int32(rng.integers(-840, 841)),
        )

    def reference(p, t, o, n, offset):
        v = t + np.int64(offset) * 60000000000
        day, rest = np.divmod(v, 86400000000000)
        return dict(
            o=np.stack(
                [day, rest // 3600000000000, rest // 60000000000 % 60, rest // 1000000000 % 60, rest // 1000000 % 1000],
                1,
            )
        )

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    floats = hl.OpenCL(FLOATS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "rounding", "days before the first are rounded to zero", "q - (a % b < 0)", "q"),
    ("plain", "rounding", "a whole day before is one too low", "q - (a % b < 0)", "q - (a < 0)"),
    ("plain", "type", "the offset in 32 bits", "offset * 60000000000l", "(offset * 60) * 1000000000"),
    ("floats", "type", "days in float", "(double)ms / 86400000.0", "(float)ms / 86400000.0f"),
    ("floats", "rounding", "milliseconds before are rounded up", "-((999999 - t[i]) / 1000000)", "t[i] / 1000000"),
]
