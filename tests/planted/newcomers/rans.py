"""Decoding of rANS: 12-bit frequencies, states of 32 bits that are refilled by bytes; each stream is read from its front."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void rans(__global const uchar *bytes, __global const int *offset, __global const ushort *frequency, __global const ushort *cumulated,
                   __global uchar *out, const int streams, const int m) {
    const int s = get_global_id(0);
    if (s >= streams) return;
    __global const uchar *in = bytes + offset[s];
    uint x = in[0] | in[1] << 8 | in[2] << 16 | (uint)in[3] << 24;
    in += 4;
    for (int i = 0; i < m; ++i) {
        const uint slot = x & 4095;
        int lo = 0, hi = 16;
        while (hi - lo > 1) {
            const int mid = (lo + hi) / 2;
            if (cumulated[mid] <= slot) lo = mid;
            else hi = mid;
        }
        out[s * m + i] = lo;
        x = frequency[lo] * (x >> 12) + slot - cumulated[lo];
        while (x < 1u << 23) x = x << 8 | *in++;
    }
}
"""


def encoded(symbols, frequency, cumulated):
    x, out = 1 << 23, []
    for s in reversed(symbols):
        f = int(frequency[s])
        while x >= ((1 << 23) >> 12 << 8) * f:
            out.append(x & 255)
            x >>= 8
        x = (x // f << 12) + x % f + int(cumulated[s])
    return list(x.to_bytes(4, "little")) + out[::-1]


@hl.kernel(
    problem=dict(streams=60, m=200),
    work=lambda p: hl.Work(flops=20 * p.streams * p.m, bytes=2 * p.streams * p.m),
    awkward=lambda p: [dict(streams=1, m=1), dict(streams=3, m=65), dict(streams=33, m=7)],
    domain=dict(packed="fixed", offset="fixed", frequency="fixed", cumulated="fixed"),
)
class rans:
    def inputs(p, rng):
        weight = rng.exponential(1, 16) ** 2 + 0.01
        frequency = np.maximum(1, np.floor(weight / weight.sum() * 4000)).astype(int)
        frequency[frequency.argmax()] += 4096 - frequency.sum()
        cumulated = np.concatenate([[0], frequency.cumsum()])
        rows = rng.choice(16, (p.streams, p.m), p=frequency / 4096)
        parts = [encoded(row.tolist(), frequency, cumulated) for row in rows]
        return dict(
            packed=np.array([b for part in parts for b in part], "u1"),
            offset=np.cumsum([0] + [len(part) for part in parts])[:-1].astype("i4"),
            frequency=frequency.astype("u2"),
            cumulated=cumulated[:-1].astype("u2"),
            out=hl.empty((p.streams, p.m), "u1"),
            streams=np.int32(p.streams),
            m=np.int32(p.m),
        )

    def reference(p, packed, offset, frequency, cumulated, out, streams, m):
        symbol = np.repeat(np.arange(16), frequency)
        answer = np.empty((p.streams, p.m), "u1")
        for s in range(p.streams):
            at = int(offset[s]) + 4
            x = int.from_bytes(packed[at - 4 : at].tobytes(), "little")
            for i in range(p.m):
                k = answer[s, i] = symbol[x & 4095]
                x = int(frequency[k]) * (x >> 12) + (x & 4095) - int(cumulated[k])
                while x < 1 << 23:
                    x, at = x << 8 | int(packed[at]) if at < len(packed) else 1 << 23, at + 1
        return dict(out=answer)

    plain = hl.OpenCL(SOURCE, "rans", global_size=lambda p, c: (p.streams,))


MUTANTS = [
    ("plain", "limit", "a slot that begins a symbol", "cumulated[mid] <= slot", "cumulated[mid] < slot"),
    ("plain", "off-by-one", "at most one byte is read", "while (x < 1u << 23)", "if (x < 1u << 23)"),
    ("plain", "limit", "the last symbol is never found", "hi = 16;", "hi = 15;"),
    ("plain", "limit", "refilled at twice the level", "x < 1u << 23", "x <= 1u << 23"),
    ("plain", "lost-tail", "the last symbol of a stream", "i < m; ++i", "i < m - (m > 64); ++i"),
]
