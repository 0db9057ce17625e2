"""Lengths and values of LEB128 numbers of one to five bytes, one beginning at each offset given."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const uchar *s, __global const int *at, __global uint *o, __global uchar *taken, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint v = 0;
    int k = 0;
    for (; k < 5; ++k) {
        const uint c = s[at[i] + k];
        v |= (c & 127) << (7 * k);
        if (c < 128) break;
    }
    o[i] = v;
    taken[i] = k + 1;
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=5 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=65)],
    domain=dict(s="fixed", at="fixed"),
)
class varint:
    def inputs(p, rng):
        values = rng.integers(0, 2**32, p.n, dtype="u8") >> rng.integers(0, 32, p.n).astype("u8")
        out, at = bytearray(), []
        for value in values.tolist():
            at.append(len(out))
            while value >= 128:
                out.append(value & 127 | 128)
                value >>= 7
            out.append(value)
        return dict(
            s=np.frombuffer(bytes(out), "u1").copy(),
            at=np.array(at, "i4"),
            o=hl.empty(p.n, "u4"),
            taken=hl.empty(p.n, "u1"),
            n=np.int32(p.n),
        )

    def reference(p, s, at, o, taken, n):
        ends = np.append(at[1:], s.size)
        v = np.zeros(p.n, "u8")
        for i, (a, e) in enumerate(zip(at.tolist(), ends.tolist(), strict=False)):
            v[i] = sum((int(c) & 127) << (7 * j) for j, c in enumerate(s[a:e]))
        return dict(o=v.astype("u4"), taken=(ends - at).astype("u1"))

    plain = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "last", "four bytes at most", "k < 5", "k < 4"),
    (
        "plain",
        "over",
        "the next byte is read before the last is known",
        "if (c < 128) break;",
        "v += s[at[i] + k + 1] * (uint)n >> 31; if (c < 128) break;",
    ),
    ("plain", "ends", "127 goes on", "c < 128", "c < 127"),
    ("plain", "type", "28 bits", "(c & 127) << (7 * k)", "((c & 127) << (7 * k)) & (k == 4 ? 0x70000000 : ~0u)"),
]
