"""Ways to complete boards of queens whose first two rows are given, counted by bits of columns and diagonals."""

import numpy as np

import hotloop as hl

A = """
__kernel void queens(__global const uchar *first, __global const uchar *second, __global uint *ways, const int size, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint all = (1u << size) - 1u;
    uint cols[10], left[10], right[10], open[10], found = 0;
    const uint a = 1u << first[i], b = 1u << second[i];
    if ((b & (a | a << 1 | a >> 1)) == 0) {
        int d = 0;
        cols[0] = a | b; left[0] = (a << 1 | b) << 1; right[0] = (a >> 1 | b) >> 1;
        open[0] = all & ~(cols[0] | left[0] | right[0]);
        if (size == 2) { found = 1; d = -1; }
        while (d >= 0) {
            if (!open[d]) { --d; continue; }
            const uint bit = open[d] & -open[d];
            open[d] ^= bit;
            if ((cols[d] | bit) == all) { ++found; continue; }
            cols[d + 1] = cols[d] | bit; left[d + 1] = (left[d] | bit) << 1; right[d + 1] = (right[d] | bit) >> 1;
            ++d;
            open[d] = all & ~(cols[d] | left[d] | right[d]);
        }
    }
    ways[i] = found;
}
"""


@hl.kernel(
    problem=dict(n=600),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(first="range", second="range"),
)
class queens:
    def inputs(p, rng):
        return dict(
            first=rng.integers(0, 7, p.n, dtype="u1"),
            second=rng.integers(0, 7, p.n, dtype="u1"),
            ways=hl.empty(p.n, "u4"),
            size=np.int32(7),
            n=p.n,
        )

    def reference(p, first, second, ways, size, n):
        size = int(size)
        table = np.zeros((size, size), "i8")

        def place(rows):
            row = len(rows)
            if row == size:
                table[rows[0], rows[1]] += 1
                return
            for col in range(size):
                if all(col != c and abs(col - c) != row - r for r, c in enumerate(rows)):
                    place([*rows, col])

        place([])
        return dict(ways=table[first, second])

    a = hl.OpenCL(A, "queens", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "lost", "one diagonal is not moved on", "(right[d] | bit) >> 1", "right[d] | bit >> 1"),
    ("a", "swap", "diagonals are taken the other way round", "left[0] = (a << 1 | b) << 1", "left[0] = (a | b) << 1"),
    ("a", "limit", "neighbours in the first rows are let through on one side", "(a | a << 1 | a >> 1)", "(a | a << 1)"),
    ("a", "lost", "the first way only", "{ ++found; continue; }", "{ ++found; break; }"),
    ("a", "set", "a column may be used twice", "if ((b & (a |", "if ((b & ("),
    ("a", "bounds", "one item too few", "if (i >= n)", "if (i >= n - 1)"),
]
