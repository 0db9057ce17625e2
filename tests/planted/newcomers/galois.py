"""Parity bytes over GF(256), 0x11D: each of four parities is the sum of the data bytes times powers of a generator (erasure codes)."""

import numpy as np

import hotloop as hl

PLAIN = """
uchar times(uchar a, uchar b) {
    uchar r = 0;
    for (int bit = 0; bit < 8; ++bit) {
        if (b & 1) r ^= a;
        b >>= 1;
        a = (uchar)(a << 1) ^ (a & 0x80 ? 0x1D : 0);
    }
    return r;
}
__kernel void k(__global const uchar *data, __global const uchar *c, __global uchar *o, const int n, const int rows) {
    const int i = get_global_id(0), q = get_global_id(1);
    if (i >= n) return;
    uchar sum = 0;
    for (int r = 0; r < rows; ++r) sum ^= times(data[r * n + i], c[q * rows + r]);
    o[q * n + i] = sum;
}
"""
LOGS = """
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void k(__global const uchar *data, __global const uchar *c, __global uchar *o, const int n, const int rows) {
    __local uchar power[512];
    __local uchar log[256];
    if (get_local_id(0) == 0) {
        int a = 1;
        for (int e = 0; e < 255; ++e) {
            power[e] = power[e + 255] = a;
            log[a] = e;
            a = a << 1 ^ (a & 0x80 ? 0x11D : 0);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = get_global_id(0), q = get_global_id(1);
    if (i >= n) return;
    uchar sum = 0;
    for (int r = 0; r < rows; ++r) {
        const uchar a = data[r * n + i], b = c[q * rows + r];
        if (a && b) sum ^= power[log[a] + log[b]];
    }
    o[q * n + i] = sum;
}
"""


def _times(a, b):
    a, b, out = a.astype("u4"), b.astype("u4"), 0
    for _ in range(8):
        out, b = out ^ np.where(b & 1, a, 0), b >> 1
        a = a << 1 ^ np.where(a & 0x80, 0x11D, 0)
    return out & 0xFF


@hl.kernel(
    problem=dict(n=4000, rows=10),
    work=lambda p: hl.Work(flops=32 * p.n * p.rows, bytes=p.n * (p.rows + 4)),
    awkward=lambda p: [dict(n=1, rows=1), dict(n=65, rows=3), dict(n=333, rows=17)],
)
class galois:
    def inputs(p, rng):
        return dict(
            data=rng.integers(0, 256, (p.rows, p.n), dtype="u1"),
            c=rng.integers(0, 256, (4, p.rows), dtype="u1"),
            o=hl.empty((4, p.n), "u1"),
            n=np.int32(p.n),
            rows=np.int32(p.rows),
        )

    def reference(p, data, c, o, n, rows):
        return dict(o=np.bitwise_xor.reduce(_times(data[None], c[:, :, None]), axis=1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n, 4))
    logs = hl.OpenCL(LOGS, "k", global_size=lambda p, c: (-(-p.n // 64) * 64, 4), local_size=lambda p, c: (64, 1))


MUTANTS = [
    ("plain", "scalar", "another polynomial", "0x1D", "0x1B"),
    ("plain", "bounds", "the highest bit is not multiplied", "bit < 8", "bit < 7"),
    ("logs", "zero", "the logarithm of zero is taken", "if (a && b) sum", "if (b) sum"),
    ("logs", "barrier", "no barrier behind the table", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("logs", "index", "exponents do not wrap", "power[e] = power[e + 255] = a;", "power[e] = a;"),
    ("logs", "type", "the sum of logarithms is a byte", "power[log[a] + log[b]]", "power[(uchar)(log[a] + log[b])]"),
]
