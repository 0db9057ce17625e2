"""The column step of AES on states of sixteen bytes: products by two and three in a field of 256."""

import numpy as np

import hotloop as hl

A = """
uchar twice(const uchar a) { return (uchar)(a << 1) ^ (a & 0x80 ? 0x1B : 0); }
__kernel void mixcol(__global const uchar *s, __global uchar *r, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int b = 16 * (i >> 2) + 4 * (i & 3);
    const uchar a0 = s[b], a1 = s[b + 1], a2 = s[b + 2], a3 = s[b + 3];
    const uchar all = a0 ^ a1 ^ a2 ^ a3;
    r[b] = a0 ^ all ^ twice(a0 ^ a1);
    r[b + 1] = a1 ^ all ^ twice(a1 ^ a2);
    r[b + 2] = a2 ^ all ^ twice(a2 ^ a3);
    r[b + 3] = a3 ^ all ^ twice(a3 ^ a0);
}
"""


@hl.kernel(
    problem=dict(blocks=4000),
    work=lambda p: hl.Work(flops=0, bytes=32 * p.blocks),
    awkward=lambda p: [dict(blocks=1), dict(blocks=17), dict(blocks=100)],
)
class mixcol:
    def inputs(p, rng):
        return dict(
            s=rng.integers(0, 256, (p.blocks, 16), dtype="u1"),
            r=hl.empty((p.blocks, 16), "u1"),
            n=np.int32(4 * p.blocks),
        )

    def reference(p, s, r, n):
        a = s.reshape(-1, 4).astype("i4")

        def times(v, by):
            made = np.zeros_like(v)
            for bit in range(2):
                made ^= np.where(by >> bit & 1, v, 0)
                v = (v << 1) ^ np.where(v & 0x80, 0x11B, 0)
            return made

        m = [[2, 3, 1, 1], [1, 2, 3, 1], [1, 1, 2, 3], [3, 1, 1, 2]]
        out = [times(a[:, 0], w[0]) ^ times(a[:, 1], w[1]) ^ times(a[:, 2], w[2]) ^ times(a[:, 3], w[3]) for w in m]
        return dict(r=np.stack(out, 1).reshape(s.shape).astype("u1"))

    a = hl.OpenCL(A, "mixcol", global_size=lambda p, c: (4 * p.blocks,))


MUTANTS = [
    ("a", "field", "another field", "0x1B", "0x1D"),
    ("a", "field", "no reduction", "? 0x1B : 0", "? 0 : 0"),
    ("a", "swap", "the last row turns the wrong way", "twice(a3 ^ a0)", "twice(a3 ^ a2)"),
    ("a", "lost", "the sum is of three", "a0 ^ a1 ^ a2 ^ a3", "a0 ^ a1 ^ a2"),
    ("a", "limit", "from 0x81 on", "a & 0x80 ?", "a > 0x80 ?"),
    ("a", "lost", "the last column of the last block", "if (i >= n)", "if (i >= n - 1)"),
]
