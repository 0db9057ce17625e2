"""Days between two dates by the 30/360 bond rule, with the end of February; dates are packed as year, month and day in decimals."""

import numpy as np

import hotloop as hl

SOURCE = """
int last(const int y, const int m) {
    const int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    return m == 2 ? 28 + leap : 30 + ((m + (m > 7)) & 1);
}
__kernel void days(__global const int *from, __global const int *to, __global int *out, __global float *interest, const int n,
                   const float rate) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int y1 = from[i] / 10000, m1 = from[i] / 100 % 100, y2 = to[i] / 10000, m2 = to[i] / 100 % 100;
    int d1 = from[i] % 100, d2 = to[i] % 100;
    if (m1 == 2 && d1 == last(y1, 2)) {
        if (m2 == 2 && d2 == last(y2, 2)) d2 = 30;
        d1 = 30;
    }
    if (d2 == 31 && d1 >= 30) d2 = 30;
    if (d1 == 31) d1 = 30;
    const int d = 360 * (y2 - y1) + 30 * (m2 - m1) + d2 - d1;
    out[i] = d;
    interest[i] = rate * d / 360.0f;
}
"""


def drawn(rng, n):
    day = np.datetime64("1990-01-01") + rng.integers(0, 20000, n)
    month = day.astype("M8[M]")
    year = month.astype("M8[Y]").astype(int) + 1970
    return (year * 10000 + (month.astype(int) % 12 + 1) * 100 + (day - month).astype(int) + 1).astype("i4")


def february(year):
    return 28 + ((year % 4 == 0) & (year % 100 != 0) | (year % 400 == 0))


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=30 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=1000)],
    domain={"from": "fixed", "to": "fixed"},
)
class day360:
    def inputs(p, rng):
        a, b = drawn(rng, p.n), drawn(rng, p.n)
        return {
            "from": np.minimum(a, b),
            "to": np.maximum(a, b),
            "out": hl.empty(p.n, "i4"),
            "interest": hl.empty(p.n),
            "n": np.int32(p.n),
            "rate": 0.035,
        }

    def reference(p, **given):
        a, b = given["from"].astype("i8"), given["to"].astype("i8")
        (y1, m1, d1), (y2, m2, d2) = ((x // 10000, x // 100 % 100, x % 100) for x in (a, b))
        first, second = (m1 == 2) & (d1 == february(y1)), (m2 == 2) & (d2 == february(y2))
        d2 = np.where(first & second, 30, d2)
        d1 = np.where(first, 30, d1)
        d2 = np.where((d2 == 31) & (d1 >= 30), 30, d2)
        d1 = np.minimum(d1, 30)
        days = 360 * (y2 - y1) + 30 * (m2 - m1) + d2 - d1
        return dict(out=days, interest=float(given["rate"]) * days / 360)

    plain = hl.OpenCL(SOURCE, "days", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "limit", "only the 31st counts as an end", "d2 == 31 && d1 >= 30", "d2 == 31 && d1 == 31"),
    ("plain", "branch", "centuries are leap years", "(y % 4 == 0 && y % 100 != 0) || y % 400 == 0", "y % 4 == 0"),
    (
        "plain",
        "branch",
        "the end of February is the 28th",
        "if (m1 == 2 && d1 == last(y1, 2)) {",
        "if (m1 == 2 && d1 >= 28) {",
    ),
    (
        "plain",
        "order",
        "the first day is moved before the second is judged",
        "if (m2 == 2 && d2 == last(y2, 2)) d2 = 30;",
        "if (m2 == 2 && d2 == 29) d2 = 30;",
    ),
    ("plain", "scalar", "a rate of 3.5 percent", "interest[i] = rate * d", "interest[i] = 0.035f * d"),
    ("plain", "type", "days in 16 bits", "out[i] = d;", "out[i] = (short)(d * 2) / 2;"),
]
