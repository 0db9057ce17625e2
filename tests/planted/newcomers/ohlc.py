"""Bars of prices: first, highest, lowest, last and volume of each interval of time; an empty one repeats the last price before it."""

import numpy as np

import hotloop as hl

A = """
__kernel void bars(__global const float *price, __global const uint *size, __global const int *start, __global float *o, __global ulong *volume,
                   const float before, const int m) {
    const int b = get_global_id(0);
    if (b >= m) return;
    const int from = start[b], to = start[b + 1];
    float open, high, low, close;
    ulong sum = 0;
    if (from == to) open = high = low = close = from > 0 ? price[from - 1] : before;
    else {
        open = high = low = price[from];
        close = price[to - 1];
        for (int i = from; i < to; ++i) {
            high = fmax(high, price[i]);
            low = fmin(low, price[i]);
            sum += size[i];
        }
    }
    vstore4((float4)(open, high, low, close), b, o);
    volume[b] = sum;
}
"""


@hl.kernel(
    problem=dict(ticks=8000, m=900),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.ticks),
    awkward=lambda p: [dict(ticks=1, m=1), dict(ticks=100, m=300), dict(ticks=3000, m=3)],
    domain=dict(start="structure", price="positive"),
)
class ohlc:
    def inputs(p, rng):
        start = np.concatenate([[0], np.sort(rng.integers(0, p.ticks + 1, p.m - 1)), [p.ticks]]).astype("i4")
        price = (100 * np.exp(0.01 * np.cumsum(rng.standard_normal(p.ticks)))).astype("f4")
        return dict(
            price=price, size=rng.integers(1, 2**31, p.ticks).astype("u4"), start=start, o=hl.empty((p.m, 4)),
            volume=hl.empty(p.m, "u8"), before=np.float32(99.5), m=p.m,
        )  # fmt: skip

    def reference(p, price, size, start, o, volume, before, m):
        bars, total = np.zeros((m, 4)), np.zeros(m, "u8")
        for b in range(m):
            row = price[start[b] : start[b + 1]].astype("f8")
            if len(row):
                bars[b] = row[0], row.max(), row.min(), row[-1]
            else:
                bars[b] = price[start[b] - 1] if start[b] else before
            total[b] = size[start[b] : start[b + 1]].sum(dtype="u8")
        return dict(o=bars, volume=total)

    a = hl.OpenCL(A, "bars", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "narrow", "volumes in 32 bits", "ulong sum = 0", "uint sum = 0"),
    (
        "a",
        "start",
        "the lowest starts at zero",
        "open = high = low = price[from];",
        "open = high = price[from];\n        low = 0.0f;",
    ),
    ("a", "edge", "before the first tick nothing is known", "from > 0 ? price[from - 1] : before", "price[from - 1]"),
    (
        "a",
        "edge",
        "the second tick does not count as before",
        "from > 0 ? price[from - 1]",
        "from > 1 ? price[from - 1]",
    ),
    ("a", "bounds", "the last tick is left", "close = price[to - 1]", "close = price[to - 2 < from ? from : to - 2]"),
    ("a", "swap", "low and high change places", "(open, high, low, close)", "(open, low, high, close)"),
    ("a", "scalar", "empty at the start is zero", ": before;", ": 0.0f;"),
]
