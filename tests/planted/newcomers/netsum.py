"""Internet checksums of packets of any length, given by offsets."""

import numpy as np

import hotloop as hl

A = """
__kernel void sum(__global const uchar *d, __global const int *start, __global ushort *o, const int packets) {
    const int i = get_global_id(0);
    if (i >= packets) return;
    uint s = 0;
    int k = start[i];
    for (; k + 1 < start[i + 1]; k += 2) s += d[k] << 8 | d[k + 1];
    if (k < start[i + 1]) s += d[k] << 8;
    while (s >> 16) s = (s & 0xffff) + (s >> 16);
    o[i] = ~s;
}
"""


@hl.kernel(
    problem=dict(packets=500),
    work=lambda p: hl.Work(flops=0, bytes=200 * p.packets),
    awkward=lambda p: [dict(packets=1), dict(packets=67)],
)
class netsum:
    def inputs(p, rng):
        start = np.concatenate([[0], np.cumsum(rng.integers(0, 400, p.packets))]).astype("i4")
        return dict(
            d=rng.integers(0, 256, max(1, int(start[-1])), dtype="u1"),
            start=start,
            o=hl.empty(p.packets, "u2"),
            packets=p.packets,
        )

    def reference(p, d, start, o, packets):
        made = np.zeros(packets, "u2")
        for i in range(packets):
            part = d[start[i] : start[i + 1]].astype("i8")
            s = int((part[::2] << 8).sum() + part[1::2].sum())
            while s >> 16:
                s = (s & 0xFFFF) + (s >> 16)
            made[i] = 0xFFFF & ~s
        return dict(o=made)

    a = hl.OpenCL(A, "sum", global_size=lambda p, c: (p.packets,))


MUTANTS = [
    ("a", "odd", "the last byte of odd lengths is lost", "if (k < start[i + 1]) s += d[k] << 8;", ""),
    ("a", "odd", "the last byte of odd lengths is the low one", "s += d[k] << 8;\n", "s += d[k];\n"),
    ("a", "fold", "folded once", "while (s >> 16)", "if (s >> 16)"),
    ("a", "type", "sums in 16 bits", "uint s = 0;", "ushort s = 0;"),
    ("a", "inverse", "not inverted", "o[i] = ~s;", "o[i] = s;"),
]
