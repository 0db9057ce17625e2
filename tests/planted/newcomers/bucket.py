"""Token buckets: packets of each flow pass while there are tokens; tokens come with time up to a depth."""

import numpy as np

import hotloop as hl

FLOW = """
__kernel void k(__global const uint *gap, __global const ushort *len, __global uchar *pass, __global int *left, const int flows, const int packets, const int rate, const int depth) {
    const int f = get_global_id(0);
    if (f >= flows) return;
    long tokens = depth;
    for (int p = 0; p < packets; ++p) {
        const int at = f * packets + p;
        tokens = min((long)depth, tokens + (long)gap[at] * rate);
        const bool ok = tokens >= len[at];
        if (ok) tokens -= len[at];
        pass[at] = ok;
    }
    left[f] = (int)tokens;
}
"""


@hl.kernel(
    problem=dict(flows=80, packets=60, rate=3, depth=3000),
    work=lambda p: hl.Work(flops=0, bytes=7 * p.flows * p.packets),
    awkward=lambda p: [
        dict(flows=1, packets=1, rate=1, depth=10),
        dict(flows=5, packets=33, rate=7, depth=1500),
        dict(flows=65, packets=9, rate=2, depth=900),
    ],
)
class bucket:
    def inputs(p, rng):
        gap = rng.integers(0, 400, (p.flows, p.packets), dtype="u4")
        gap[rng.random(gap.shape) < 0.05] = rng.integers(0, 2**32, dtype="u4")
        return dict(
            gap=gap,
            len=rng.integers(0, 1500, gap.shape).astype("u2"),
            **{"pass": hl.empty(gap.shape, "u1")},
            left=hl.empty(p.flows, "i4"),
            flows=np.int32(p.flows),
            packets=np.int32(p.packets),
            rate=np.int32(p.rate),
            depth=np.int32(p.depth),
        )

    def reference(p, **a):
        tokens = np.full(p.flows, p.depth, "i8")
        out = np.empty((p.flows, p.packets), "u1")
        for q in range(p.packets):
            tokens = np.minimum(p.depth, tokens + a["gap"][:, q].astype("i8") * p.rate)
            ok = tokens >= a["len"][:, q]
            tokens = tokens - np.where(ok, a["len"][:, q], 0)
            out[:, q] = ok
        return {"pass": out, "left": tokens.astype("i4")}

    flow = hl.OpenCL(FLOW, "k", global_size=lambda p, c: (p.flows,))


MUTANTS = [
    ("flow", "overflow", "tokens in 32 bits", "(long)gap[at] * rate", "(int)gap[at] * rate"),
    ("flow", "limit", "a packet of all tokens waits", "tokens >= len[at]", "tokens > len[at]"),
    (
        "flow",
        "saturation",
        "the depth is no limit",
        "tokens = min((long)depth, tokens + (long)gap[at] * rate);",
        "tokens = min(2l * depth, tokens + (long)gap[at] * rate);",
    ),
    ("flow", "start", "buckets begin empty", "long tokens = depth;", "long tokens = 0;"),
    (
        "flow",
        "state",
        "refused packets take tokens",
        "if (ok) tokens -= len[at];",
        "tokens = max(0l, tokens - len[at]);",
    ),
]
