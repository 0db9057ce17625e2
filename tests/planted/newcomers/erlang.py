"""Shares of calls that meet all lines busy (Erlang B by its recursion), and of those that wait (Erlang C), by load and number of lines."""

import numpy as np

import hotloop as hl

A = """
__kernel void erlang(__global const float *load, __global const int *lines, __global float *lost, __global float *waits, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float a = load[i];
    const int m = lines[i];
    float b = 1.0f;
    for (int k = 1; k <= m; ++k) b = a * b / (k + a * b);
    lost[i] = b;
    waits[i] = a < m ? m * b / (m - a * (1.0f - b)) : 1.0f;
}
"""


@hl.kernel(
    problem=dict(n=2000),
    work=lambda p: hl.Work(flops=100 * p.n, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=257)],
    tolerance=hl.Tolerance(terms=1000),
    domain=dict(load="positive", lines="range"),
)
class erlang:
    def inputs(p, rng):
        lines = rng.integers(0, 60, p.n).astype("i4")
        return dict(
            load=(0.1 + rng.gamma(4, 5, p.n)).astype("f4"), lines=lines, lost=hl.empty(p.n), waits=hl.empty(p.n), n=p.n
        )

    def reference(p, load, lines, lost, waits, n):
        a, b = load.astype("f8"), np.ones(n)
        for k in range(1, int(lines.max(initial=0)) + 1):
            b = np.where(k <= lines, a * b / (k + a * b), b)
        with np.errstate(all="ignore"):
            late = np.where(a < lines, lines * b / (lines - a * (1 - b)), 1.0)
        return dict(lost=b, waits=late)

    a = hl.OpenCL(A, "erlang", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "bounds", "one line too few", "k <= m; ++k", "k < m; ++k"),
    (
        "a",
        "limit",
        "no limit on waiting",
        "a < m ? m * b / (m - a * (1.0f - b)) : 1.0f",
        "m * b / (m - a * (1.0f - b))",
    ),
    (
        "a",
        "start",
        "nothing is lost without lines",
        "float b = 1.0f;\n    for",
        "float b = m > 0 ? 1.0f : 0.0f;\n    for",
    ),
    ("a", "swap", "loads and lines change places", "a * b / (k + a * b)", "k * b / (k + a * b)"),
    ("a", "formula", "losses are not given back", "a * (1.0f - b)", "a"),
    ("a", "narrow", "lines in five bits", "const int m = lines[i];", "const int m = lines[i] & 31;"),
    ("a", "limit", "a limit before the load reaches the lines", "a < m ?", "a + 1.0f < m ?"),
]
