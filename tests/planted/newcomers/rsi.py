"""Relative strength index with Wilder's smoothing, of prices in cents."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void rsi(__global const int *cents, __global float *out, const int series, const int days, const int period) {
    const int s = get_global_id(0);
    if (s >= series) return;
    float gain = 0.0f, loss = 0.0f;
    for (int d = 0; d < days; ++d) {
        float value = 50.0f;
        if (d > 0) {
            const int change = cents[s * days + d] - cents[s * days + d - 1];
            const float up = max(change, 0), down = max(-change, 0);
            if (d <= period) {
                gain += up / period;
                loss += down / period;
            } else {
                gain += (up - gain) / period;
                loss += (down - loss) / period;
            }
            if (d >= period && gain + loss > 0.0f) value = 100.0f * gain / (gain + loss);
        }
        out[s * days + d] = value;
    }
}
"""


@hl.kernel(
    problem=dict(series=200, days=250, period=14),
    work=lambda p: hl.Work(flops=10 * p.series * p.days, bytes=8 * p.series * p.days),
    awkward=lambda p: [
        dict(series=1, days=1, period=14),
        dict(series=3, days=15, period=14),
        dict(series=65, days=40, period=5),
    ],
    tolerance=hl.Tolerance(terms=lambda p: 3 * p.days),
)
class rsi:
    def inputs(p, rng):
        steps = rng.normal(0, 80, (p.series, p.days)).round()
        cents = np.maximum(10000 + steps.cumsum(axis=1), 100).astype("i4")
        return dict(
            cents=cents,
            out=hl.empty((p.series, p.days)),
            series=np.int32(p.series),
            days=np.int32(p.days),
            period=np.int32(p.period),
        )

    def reference(p, cents, out, series, days, period):
        value = np.full((p.series, p.days), 50.0)
        change = np.diff(cents.astype("i8"), axis=1)
        gain = loss = np.zeros(p.series)
        for d in range(1, p.days):
            up, down = np.maximum(change[:, d - 1], 0), np.maximum(-change[:, d - 1], 0)
            if d <= p.period:
                gain, loss = gain + up / p.period, loss + down / p.period
            else:
                gain, loss = gain + (up - gain) / p.period, loss + (down - loss) / p.period
            if d >= p.period:
                both = gain + loss
                value[:, d] = np.where(both > 0, 100 * gain / np.where(both > 0, both, 1), 50)
        return dict(out=value)

    plain = hl.OpenCL(SOURCE, "rsi", global_size=lambda p, c: (p.series,))


MUTANTS = [
    ("plain", "off-by-one", "the first average has one change less", "if (d <= period) {", "if (d < period) {"),
    ("plain", "limit", "a row that only rises is 50", "gain + loss > 0.0f", "gain * loss > 0.0f"),
    (
        "plain",
        "scalar",
        "always fourteen days in the smoothing of losses",
        "(down - loss) / period",
        "(down - loss) / 14",
    ),
    (
        "plain",
        "division",
        "changes are divided as integers",
        "const float up = max(change, 0), down",
        "const float up = max(change, 0) & ~1, down",
    ),
    ("plain", "off-by-one", "values begin a day late", "if (d >= period && gain", "if (d > period && gain"),
    ("plain", "type", "prices in 16 bits", "const int change = cents", "const int change = (short)cents"),
]
