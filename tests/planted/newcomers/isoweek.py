"""Week of the year and day of the week (Monday is 1) by ISO 8601, of days since 1970-01-01."""

import hotloop as hl

A = """
int jan1(int y) { y -= 1; return y * 365 + y / 4 - y / 100 + y / 400 - 719162; }
__kernel void k(__global const int *d, __global uchar *week, __global uchar *wd, __global short *year, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    int t = d[i], w = ((t + 3) % 7 + 7) % 7;
    int th = t - w + 3;
    int y = 1970 + (int)floor(th / 365.2425f);
    while (jan1(y) > th) --y;
    while (jan1(y + 1) <= th) ++y;
    week[i] = (th - jan1(y)) / 7 + 1;
    wd[i] = w + 1; year[i] = y;
}
"""
B = """
__kernel void k(__global const int *d, __global uchar *week, __global uchar *wd, __global short *year, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    const uint t = d[i] + 719468 + 14 * 146097;
    const uint w = (t + 2) % 7;
    const uint th = t - w + 3;
    const uint e = th / 146097, r = th % 146097;
    const uint yoe = (r - r / 1460 + r / 36524 - r / 146096) / 365;
    const uint doy = r - (365 * yoe + yoe / 4 - yoe / 100);
    uint y = yoe + e * 400;
    uint g;
    if (doy >= 306) { g = doy - 306; y += 1; }
    else { const uint leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0); g = doy + 59 + leap; }
    week[i] = g / 7 + 1;
    wd[i] = w + 1;
    year[i] = (int)y - 5600;
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=31)],
    domain=dict(d="range"),
)
class isoweek:
    def inputs(p, rng):
        return dict(
            d=rng.integers(-200000, 200000, p.n, dtype="i4"),
            week=hl.empty(p.n, "uint8"),
            wd=hl.empty(p.n, "uint8"),
            year=hl.empty(p.n, "int16"),
            n=p.n,
        )

    def reference(p, d, week, wd, year, n):
        d = d.astype("i8")
        w = (d + 3) % 7
        th = (d - w + 3).astype("M8[D]")
        y = th.astype("M8[Y]")
        return dict(week=(th - y.astype("M8[D]")).astype("i8") // 7 + 1, wd=w + 1, year=y.astype("i8") + 1970)

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "negative", "days before 1970 count backwards", "((t + 3) % 7 + 7) % 7", "(t + 3) % 7"),
    ("a", "limit", "the year ends a day late", "jan1(y + 1) <= th", "jan1(y + 1) < th"),
    ("a", "calendar", "no rule of four hundred", " + y / 400 - 719162", " - 719158"),
    ("a", "thursday", "Wednesday decides", "t - w + 3", "t - w + 2"),
    ("b", "leap", "February always has 28 days", "g = doy + 59 + leap", "g = doy + 59"),
    ("b", "leap", "every fourth year", "y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)", "y % 4 == 0"),
    ("b", "calendar", "the last day of four hundred years", " - r / 146096", ""),
]
