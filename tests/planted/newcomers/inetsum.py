"""Checksums of packets as the Internet has them: 16-bit words, high byte first, added with the carry brought round, complemented."""

import numpy as np

import hotloop as hl

A = """
__kernel void inetsum(__global const uchar *data, __global const int *offset, __global ushort *sums, const int packets) {
    const int p = get_global_id(0);
    if (p >= packets) return;
    const int begin = offset[p], end = offset[p + 1];
    uint sum = 0;
    int i = begin;
    for (; i + 1 < end; i += 2) sum += ((uint)data[i] << 8) | data[i + 1];
    if (i < end) sum += (uint)data[i] << 8;
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    sums[p] = (ushort)~sum;
}
"""


@hl.kernel(
    problem=dict(packets=700, longest=1500),
    work=lambda p: hl.Work(flops=0, bytes=p.packets * p.longest // 2),
    awkward=lambda p: [dict(packets=1, longest=1), dict(packets=33, longest=7), dict(packets=130, longest=64)],
    domain=dict(longest="at most 65536"),
)
class inetsum:
    def inputs(p, rng):
        lengths = rng.integers(0, p.longest + 1, p.packets)
        offset = np.concatenate([[0], np.cumsum(lengths)]).astype("i4")
        return dict(
            data=rng.integers(0, 256, max(1, offset[-1])).astype("u1"), offset=offset, sums=hl.empty(p.packets, "u2"), packets=p.packets
        )  # fmt: skip

    def reference(p, data, offset, sums, packets):
        out = np.zeros(packets, "u2")
        for k in range(packets):
            b = data[offset[k] : offset[k + 1]].astype("i8")
            if len(b) % 2:
                b = np.append(b, 0)
            s = int((b[0::2] * 256 + b[1::2]).sum())
            while s >> 16:
                s = (s & 0xFFFF) + (s >> 16)
            out[k] = 0xFFFF - s
        return dict(sums=out)

    a = hl.OpenCL(A, "inetsum", global_size=lambda p, c: (p.packets,))


MUTANTS = [
    ("a", "lost-tail", "the odd last byte is lost", "    if (i < end) sum += (uint)data[i] << 8;\n", ""),
    ("a", "swap", "the odd last byte is the low one", "sum += (uint)data[i] << 8;", "sum += data[i];"),
    (
        "a",
        "bounds",
        "an odd packet takes the next one's first byte",
        "for (; i + 1 < end; i += 2)",
        "for (; i < end; i += 2)",
    ),
    ("a", "overflow", "carries are brought round once only", "    while (sum >> 16) sum", "    if (sum >> 16) sum"),
    ("a", "narrow", "the sum in sixteen bits", "uint sum = 0;", "ushort sum = 0;"),
    ("a", "overflow", "carries are dropped", "sum = (sum & 0xffff) + (sum >> 16);", "sum = sum & 0xffff;"),
    ("a", "sign", "bytes are signed", "| data[i + 1]", "| (uint)(int)as_char(data[i + 1])"),
]
