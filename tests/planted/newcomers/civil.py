"""Year, month and day of a day's number, counted from 1970-01-01, also before it (Gregorian, proleptic)."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *days, __global int *year, __global uchar *month, __global uchar *day, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int z = days[i] + 719468;
    const int era = (z >= 0 ? z : z - 146096) / 146097;
    const int doe = z - era * 146097;
    const int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    const int mp = (5 * doy + 2) / 153;
    day[i] = doy - (153 * mp + 2) / 5 + 1;
    const int m = mp < 10 ? mp + 3 : mp - 9;
    month[i] = m;
    year[i] = yoe + era * 400 + (m <= 2);
}
"""
TABLE = """
__constant int before[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
int starts(int y) {  // days from 1970-01-01 to the first of January of year y
    const int p = y - 1;
    const int c = p >= 0 ? p / 100 : -((99 - p) / 100), q = p >= 0 ? p / 400 : -((399 - p) / 400);
    return 365 * (y - 1970) + (p >> 2) - c + q - 477;
}
__kernel void k(__global const int *days, __global int *year, __global uchar *month, __global uchar *day, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int d = days[i];
    int y = 1970 + (int)floor(d / 365.2425f);
    while (starts(y) > d) --y;
    while (starts(y + 1) <= d) ++y;
    const int leap = (y & 3) == 0 && (y % 100 != 0 || y % 400 == 0);
    int left = d - starts(y), m = 1;
    while (left >= before[m] + (leap && m >= 2)) ++m;
    left -= before[m - 1] + (leap && m > 2);
    year[i] = y;
    month[i] = m;
    day[i] = left + 1;
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=30 * p.n, bytes=10 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=13), dict(n=1000)],
    domain=dict(days="range"),
)
class civil:
    def inputs(p, rng):
        return dict(
            days=rng.integers(-900000, 900000, p.n, dtype="i4"),
            year=hl.empty(p.n, "i4"),
            month=hl.empty(p.n, "u1"),
            day=hl.empty(p.n, "u1"),
            n=np.int32(p.n),
        )

    def reference(p, days, year, month, day, n):
        dates = np.datetime64("1970-01-01") + days.astype("m8[D]")
        y, m = dates.astype("M8[Y]"), dates.astype("M8[M]")
        return dict(
            year=y.astype("i8") + 1970,
            month=(m - y.astype("M8[M]")).astype("i8") + 1,
            day=(dates - m.astype("M8[D]")).astype("i8") + 1,
        )

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    table = hl.OpenCL(TABLE, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "negative", "eras are divided towards zero", "(z >= 0 ? z : z - 146096) / 146097", "z / 146097"),
    ("plain", "calendar", "the day that ends four hundred years", " - doe / 146096", ""),
    ("plain", "bounds", "the year turns in February", "(m <= 2)", "(m < 2)"),
    ("plain", "start", "days are counted from zero", "/ 5 + 1;", "/ 5;"),
    (
        "table",
        "calendar",
        "every fourth year is a leap year",
        "(y & 3) == 0 && (y % 100 != 0 || y % 400 == 0)",
        "(y & 3) == 0",
    ),
    (
        "table",
        "bounds",
        "the last of each month is the next one's",
        "while (left >= before[m]",
        "while (left + 1 >= before[m]",
    ),
    (
        "table",
        "bounds",
        "the thirtieth of February of leap years",
        "left -= before[m - 1] + (leap && m > 2)",
        "left -= before[m - 1] + (leap && m > 3)",
    ),
]
