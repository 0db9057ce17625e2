"""CRC-32 of rows of bytes, bit by bit and by a table."""

import zlib

import numpy as np

import hotloop as hl

BITS = """
__kernel void crc(__global const uchar *x, __global const uint *table, __global uint *y, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    uint c = 0xFFFFFFFFu;
    for (int i = 0; i < n; ++i) {
        c ^= x[r * n + i];
        for (int b = 0; b < 8; ++b) c = (c >> 1) ^ (0xEDB88320u & (0u - (c & 1u)));
    }
    y[r] = ~c;
}
"""
TABLE = """
__kernel void crc(__global const uchar *x, __global const uint *table, __global uint *y, const int rows, const int n) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    uint c = 0xFFFFFFFFu;
    for (int i = 0; i < n; ++i) c = table[(c ^ x[r * n + i]) & 255u] ^ (c >> 8);
    y[r] = c ^ 0xFFFFFFFFu;
}
"""


def made():
    table = np.zeros(256, "u8")
    for i in range(256):
        c = i
        for _ in range(8):
            c = (c >> 1) ^ (0xEDB88320 if c & 1 else 0)
        table[i] = c
    return table.astype("u4")


@hl.kernel(
    problem=dict(rows=200, n=60),
    work=lambda p: hl.Work(flops=0, bytes=p.rows * (p.n + 4)),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=9, n=5), dict(rows=33, n=64)],
)
class crc:
    def inputs(p, rng):
        x = rng.integers(0, 256, (p.rows, p.n), dtype="u1")
        return dict(x=x, table=made(), y=hl.empty(p.rows, "uint32"), rows=np.int32(p.rows), n=np.int32(p.n))

    def reference(p, x, table, y, rows, n):
        return dict(y=np.array([zlib.crc32(row.tobytes()) for row in x], "u4"))

    bits = hl.OpenCL(BITS, "crc", global_size=lambda p, c: (p.rows,))
    table = hl.OpenCL(TABLE, "crc", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("bits", "polynomial", "one bit of the polynomial", "0xEDB88320u", "0xEDB88321u"),
    ("bits", "shift", "an arithmetic shift", "(c >> 1)", "(uint)((int)c >> 1)"),
    ("bits", "start", "starts at zero", "uint c = 0xFFFFFFFFu", "uint c = 0"),
    ("table", "mask", "seven bits of the index", "& 255u", "& 127u"),
    ("table", "shift", "an arithmetic shift", "(c >> 8)", "(uint)((int)c >> 8)"),
    ("table", "last", "the last byte is skipped in rows of more than 62", "i < n; ++i", "i < min(n, 62); ++i"),
]
