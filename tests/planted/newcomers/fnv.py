"""FNV-1a of every row of bytes, 32 bits."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uchar *x, __global uint *h, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint v = 2166136261u;
    for (int j = 0; j < m; ++j) v = (v ^ x[i * m + j]) * 16777619u;
    h[i] = v;
}
"""
FOURS = """
__kernel void k(__global const uchar *x, __global uint *h, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    uint v = 2166136261u;
    int j = 0;
    for (; j + 4 <= m; j += 4) {
        const uchar4 b = vload4(0, x + i * m + j);
        v = (v ^ b.s0) * 16777619u; v = (v ^ b.s1) * 16777619u; v = (v ^ b.s2) * 16777619u; v = (v ^ b.s3) * 16777619u;
    }
    for (; j < m; ++j) v = (v ^ x[i * m + j]) * 16777619u;
    h[i] = v;
}
"""


@hl.kernel(
    problem=dict(n=1000, m=50),
    work=lambda p: hl.Work(flops=2 * p.n * p.m, bytes=p.n * p.m),
    awkward=lambda p: [dict(n=1, m=1), dict(n=65, m=4), dict(n=10, m=7)],
)
class fnv:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.n, p.m), dtype="u1"), h=hl.empty(p.n, "uint32"), n=np.int32(p.n), m=np.int32(p.m)
        )

    def reference(p, x, h, n, m):
        v = np.full(p.n, 2166136261, "u8")
        for j in range(p.m):
            v = ((v ^ x[:, j]) * 16777619) & 0xFFFFFFFF
        return dict(h=v)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    fours = hl.OpenCL(FOURS, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "constant", "another prime", "16777619u", "16777617u"),
    ("plain", "order", "multiplied first", "(v ^ x[i * m + j]) * 16777619u", "(v * 16777619u) ^ x[i * m + j]"),
    ("plain", "signed", "signed bytes", "v ^ x[i * m + j]", "v ^ (uint)(int)as_char(x[i * m + j])"),
    ("plain", "lost-tail", "the last byte is left out", "j < m;", "j < m - 1;"),
    (
        "fours",
        "order",
        "two bytes exchanged",
        "(v ^ b.s1) * 16777619u; v = (v ^ b.s2)",
        "(v ^ b.s2) * 16777619u; v = (v ^ b.s1)",
    ),
    (
        "fours",
        "lost-tail",
        "the rest of a row is left out",
        "for (; j < m; ++j) v = (v ^ x[i * m + j]) * 16777619u;",
        "",
    ),
    ("fours", "lost-tail", "the last row is left out", "if (i >= n) return;", "if (i >= n - 1 && n > 1) return;"),
    ("fours", "bounds", "four bytes where three are left", "j + 4 <= m", "j + 3 <= m"),
]
