"""Easter Sunday of Gregorian years as month × 100 + day."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void easter(__global const int *year, __global int *date, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int y = year[i], a = y % 19, b = y / 100, c = y % 100, d = b / 4, e = b % 4;
    const int f = (b + 8) / 25, g = (b - f + 1) / 3, h = (19 * a + b - d - g + 15) % 30;
    const int j = c / 4, k = c % 4, l = (32 + 2 * e + 2 * j - h - k) % 7, m = (a + 11 * h + 22 * l) / 451;
    const int s = h + l - 7 * m + 114;
    date[i] = s / 31 * 100 + s % 31 + 1;
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=255)],
    domain=dict(year="range"),
)
class easter:
    def inputs(p, rng):
        return dict(year=rng.integers(1583, 4100, p.n, dtype="i4"), date=hl.empty(p.n, "i4"), n=np.int32(p.n))

    def reference(p, year, date, n):
        """By golden number and epact, another way than the kernel's."""
        y = year.astype("i8")
        golden, century = y % 19 + 1, y // 100 + 1
        skipped, moon = 3 * century // 4 - 12, (8 * century + 5) // 25 - 5
        sunday = 5 * y // 4 - skipped - 10
        epact = (11 * golden + 20 + moon - skipped) % 30
        epact = epact + ((epact == 25) & (golden > 11) | (epact == 24))
        full = 44 - epact
        full = np.where(full < 21, full + 30, full)
        full = full + 7 - (sunday + full) % 7
        return dict(date=np.where(full > 31, 400 + full - 31, 300 + full))

    plain = hl.OpenCL(SOURCE, "easter", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "formula",
        "the exception of the moon is left out",
        "(a + 11 * h + 22 * l) / 451",
        "(a + 11 * h + 22 * l) / 512",
    ),
    ("plain", "shift", "a century's quarter is rounded up", "d = b / 4", "d = (b + 1) >> 2"),
    (
        "plain",
        "limit",
        "the last of March is the first of April less one",
        "s % 31 + 1",
        "max(s % 31, 1 - (s / 31 == 4)) + 1 - (s % 31 == 30)",
    ),
    ("plain", "type", "the year in eight bits of its century", "c = y % 100", "c = (uchar)(y % 128) % 100"),
    ("plain", "off-by-one", "the epact of 24 is not moved", "a + 11 * h + 22 * l", "a + 11 * min(h, 28) + 22 * l"),
]
