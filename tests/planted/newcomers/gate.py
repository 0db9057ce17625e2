"""A noise gate on 16-bit sound: it opens above one level, and closes when a number of samples were below another."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void gate(__global const short *x, __global short *y, const int channels, const int m, const int open_at, const int close_at,
                   const int hold) {
    const int c = get_global_id(0);
    if (c >= channels) return;
    int open = 0, quiet = 0;
    for (int i = 0; i < m; ++i) {
        const int v = x[c * m + i], level = abs(v);
        if (level > open_at) open = 1;
        quiet = level < close_at ? quiet + 1 : 0;
        if (quiet >= hold) open = 0;
        y[c * m + i] = open ? v : v / 8;
    }
}
"""


@hl.kernel(
    problem=dict(channels=100, m=600, open_at=3000, close_at=800, hold=12),
    work=lambda p: hl.Work(flops=5 * p.channels * p.m, bytes=4 * p.channels * p.m),
    awkward=lambda p: [
        dict(channels=1, m=1, open_at=3000, close_at=800, hold=1),
        dict(channels=3, m=65, open_at=2000, close_at=900, hold=4),
    ],
    domain=dict(open_at="at most 20000", close_at="at most 2000"),
)
class gate:
    def inputs(p, rng):
        loud = rng.random((p.channels, -(-p.m // 20))) < 0.4
        scale = np.repeat(np.where(loud, 6000, 300), 20, axis=1)[:, : p.m]
        x = (rng.standard_normal((p.channels, p.m)) * scale).clip(-32768, 32767).round()
        return dict(
            x=x.astype("i2"),
            y=hl.empty((p.channels, p.m), "i2"),
            channels=np.int32(p.channels),
            m=np.int32(p.m),
            open_at=np.int32(p.open_at),
            close_at=np.int32(p.close_at),
            hold=np.int32(p.hold),
        )

    def reference(p, x, y, channels, m, open_at, close_at, hold):
        v, level = x.astype("i4"), np.abs(x.astype("i4"))
        state, quiet, out = np.zeros(p.channels, bool), np.zeros(p.channels, int), np.empty_like(v)
        for i in range(p.m):
            state = state | (level[:, i] > p.open_at)
            quiet = np.where(level[:, i] < p.close_at, quiet + 1, 0)
            state = state & (quiet < p.hold)
            out[:, i] = np.where(state, v[:, i], np.sign(v[:, i]) * (level[:, i] // 8))
        return dict(y=out)

    plain = hl.OpenCL(SOURCE, "gate", global_size=lambda p, c: (p.channels,))


MUTANTS = [
    ("plain", "shift", "an eighth by a shift", "v / 8", "v >> 3"),
    (
        "plain",
        "type",
        "the level in 16 bits",
        "const int v = x[c * m + i], level = abs(v);",
        "const int v = x[c * m + i]; const short level = v < 0 ? -v : v;",
    ),
    ("plain", "limit", "the level itself opens", "level > open_at", "level >= open_at"),
    ("plain", "off-by-one", "a sample longer", "quiet >= hold", "quiet > hold"),
    ("plain", "limit", "the closing level itself is quiet", "level < close_at", "level <= close_at"),
    ("plain", "state", "channels begin open", "int open = 0", "int open = c > 63"),
]
