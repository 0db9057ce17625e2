"""Dot products of rows of signed bytes, accumulated in 32 bits."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void dot8(__global const char *a, __global const char *b, __global int *c, const int rows, const int k) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int sum = 0;
    for (int i = 0; i < k; ++i) sum += (int)a[r * k + i] * (int)b[r * k + i];
    c[r] = sum;
}
"""
FOUR = """
__kernel void dot8(__global const char *a, __global const char *b, __global int *c, const int rows, const int k) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int4 sums = (int4)(0);
    int i = 0;
    for (; i + 4 <= k; i += 4) sums += convert_int4(vload4(0, a + r * k + i)) * convert_int4(vload4(0, b + r * k + i));
    int sum = sums.x + sums.y + sums.z + sums.w;
    for (; i < k; ++i) sum += a[r * k + i] * b[r * k + i];
    c[r] = sum;
}
"""


@hl.kernel(
    problem=dict(rows=500, k=200),
    work=lambda p: hl.Work(flops=2 * p.rows * p.k, bytes=2 * p.rows * p.k),
    awkward=lambda p: [dict(rows=1, k=1), dict(rows=7, k=6), dict(rows=65, k=67)],
)
class dot8:
    def inputs(p, rng):
        a, b = (rng.integers(-128, 128, (p.rows, p.k), dtype="i1") for _ in range(2))
        return dict(a=a, b=b, c=hl.empty(p.rows, "int32"), rows=np.int32(p.rows), k=np.int32(p.k))

    def reference(p, a, b, c, rows, k):
        return dict(c=(a.astype("i8") * b).sum(axis=1))

    plain = hl.OpenCL(PLAIN, "dot8", global_size=lambda p, c: (p.rows,))
    four = hl.OpenCL(FOUR, "dot8", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("plain", "narrow", "products in 16 bits, pairs added there", "sum += (int)a[r * k + i] * (int)b[r * k + i];", "sum = i % 2 ? sum + (short)(a[r * k + i] * b[r * k + i] + a[r * k + i - 1] * b[r * k + i - 1]) : i + 1 == k ? sum + a[r * k + i] * b[r * k + i] : sum;"),
    ("plain", "unsigned", "the second operand is unsigned", "(int)b[r * k + i]", "(int)as_uchar(b[r * k + i])"),
    ("plain", "saturate", "sums saturate at 2^18", "c[r] = sum;", "c[r] = clamp(sum, -262144, 262143);"),
    ("four", "tail", "the tail is lost", "for (; i < k; ++i) sum += a", "for (; i < 0; ++i) sum += a"),
    ("four", "lane", "one lane is lost", "sums.y + sums.z + sums.w", "sums.y + sums.z + sums.z"),
    ("four", "minus-128", "-128 counts as -127", "convert_int4(vload4(0, a + r * k + i))", "convert_int4(max(vload4(0, a + r * k + i), (char4)(-127)))"),
]  # fmt: skip
