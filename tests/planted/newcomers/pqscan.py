"""Distances of coded vectors to a query by tables: each code of eight bytes chooses one value of eight tables of 256."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void pqscan(__global const uchar *code, __global const float *lut, __global float *far, const int n) {
    __local float t[8 * 256];
    for (int k = get_local_id(0); k < 8 * 256; k += 64) t[k] = lut[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = get_global_id(0);
    if (i >= n) return;
    float s = 0.0f;
    for (int m = 0; m < 8; ++m) s += t[256 * m + code[8 * i + m]];
    far[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=8 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
    tolerance=hl.Tolerance(terms=8),
)
class pqscan:
    def inputs(p, rng):
        return dict(
            code=rng.integers(0, 256, (p.n, 8), dtype="u1"), lut=rng.random((8, 256), "f4"), far=hl.empty(p.n), n=p.n
        )

    def reference(p, code, lut, far, n):
        return dict(far=lut.astype("f8")[np.arange(8)[None], code].sum(1))

    a = hl.OpenCL(A, "pqscan", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "barrier", "no barrier after the tables", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("a", "narrow", "codes are signed", "code[8 * i + m]]", "(char)code[8 * i + m]]"),
    ("a", "lost", "the last table is not loaded whole", "k < 8 * 256; k += 64", "k < 8 * 256 - 64; k += 64"),
    ("a", "swap", "the first table for all", "t[256 * m +", "t["),
    ("a", "lost", "seven of eight", "m < 8; ++m) s", "m < 7; ++m) s"),
    ("a", "bounds", "one item too many", "if (i >= n) return;", "if (i > n) return;"),
    ("a", "narrow", "codes of seven bits", "code[8 * i + m]]", "(code[8 * i + m] & 127)]"),
]
