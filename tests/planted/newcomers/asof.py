"""As-of join: to each trade the last quote of its symbol that is no later, -1 if there is none; quotes are sorted by symbol and time."""

import numpy as np

import hotloop as hl

A = """
__kernel void asof(__global const int *start, __global const long *quoted, __global const int *symbol, __global const long *traded, __global int *o, const int trades) {
    const int t = get_global_id(0);
    if (t >= trades) return;
    int low = start[symbol[t]], high = start[symbol[t] + 1];
    const int first = low;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (quoted[middle] <= traded[t]) low = middle + 1;
        else high = middle;
    }
    o[t] = low > first ? low - 1 : -1;
}
"""


@hl.kernel(
    problem=dict(trades=3000, quotes=2000, symbols=40),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.trades),
    awkward=lambda p: [
        dict(trades=1, quotes=1, symbols=1),
        dict(trades=65, quotes=300, symbols=7),
        dict(trades=100, quotes=50, symbols=90),
    ],
    domain=dict(start="structure", quoted="structure", symbol="indices"),
)
class asof:
    def inputs(p, rng):
        owner = np.sort(rng.integers(0, p.symbols, p.quotes))
        start = np.searchsorted(owner, np.arange(p.symbols + 1)).astype("i4")
        when = rng.integers(1_700_000_000_000, 1_700_000_400_000, p.quotes)
        quoted = when[np.lexsort((when, owner))]
        return dict(
            start=start, quoted=quoted, symbol=rng.integers(0, p.symbols, p.trades).astype("i4"),
            traded=rng.integers(1_700_000_000_000, 1_700_000_400_000, p.trades), o=hl.empty(p.trades, "i4"), trades=p.trades,
        )  # fmt: skip

    def reference(p, start, quoted, symbol, traded, o, trades):
        out = np.full(trades, -1, "i8")
        for t in range(trades):
            a, b = start[symbol[t]], start[symbol[t] + 1]
            k = int(np.searchsorted(quoted[a:b], traded[t], side="right"))
            out[t] = a + k - 1 if k else -1
        return dict(o=out)

    a = hl.OpenCL(A, "asof", global_size=lambda p, c: (p.trades,))


MUTANTS = [
    ("a", "tie", "a quote of the same time is too late", "quoted[middle] <= traded[t]", "quoted[middle] < traded[t]"),
    ("a", "narrow", "times in 32 bits", "quoted[middle] <= traded[t]", "(int)quoted[middle] <= (int)traded[t]"),
    (
        "a",
        "edge",
        "without an earlier one the quote of another symbol",
        "low > first ? low - 1 : -1",
        "low > 0 ? low - 1 : -1",
    ),
    (
        "a",
        "bounds",
        "the last quote of a symbol is not looked at",
        "high = start[symbol[t] + 1];",
        "high = max(low, start[symbol[t] + 1] - 1);",
    ),
    ("a", "precision", "times as float", "quoted[middle] <= traded[t]", "(float)quoted[middle] <= (float)traded[t]"),
]
