"""Counter-based random numbers: ten rounds of a Philox-like mixing of counter and key, as uniform floats."""

import numpy as np

import hotloop as hl

BODY = """
uint mixed(ulong counter, uint key) {
    uint a = (uint)counter, b = (uint)(counter >> 32);
    for (int i = 0; i < 10; ++i) {
        const ulong p = (ulong)a * 0xD256D193ul;
        a = (uint)(p >> 32) ^ b ^ key;
        b = (uint)p;
        key += 0x9E3779B9u;
    }
    return a ^ b;
}
"""
PLAIN = (
    BODY
    + """
__kernel void draw(__global float *u, const uint key, const ulong first, const int n) {
    const int i = get_global_id(0);
    if (i < n) u[i] = (float)(mixed(first + i, key) >> 8) * 0x1p-24f;
}
"""
)
FOUR = (
    BODY
    + """
__kernel void draw(__global float *u, const uint key, const ulong first, const int n) {
    const int i = 4 * get_global_id(0);
    for (int j = i; j < min(i + 4, n); ++j) u[j] = (float)(mixed(first + (ulong)j, key) >> 8) * 0x1p-24f;
}
"""
)


@hl.kernel(
    problem=dict(n=40000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=101), dict(n=1030)],
)
class philox:
    def inputs(p, rng):
        return dict(u=hl.empty(p.n), key=np.uint32(12345), first=np.uint64(1000), n=np.int32(p.n))

    def reference(p, u, key, first, n):
        with np.errstate(over="ignore"):
            counter = np.uint64(first) + np.arange(p.n, dtype="u8")
            low = np.uint64(0xFFFFFFFF)
            a, b, k = counter & low, counter >> np.uint64(32), np.uint64(key)
            for _ in range(10):
                product = a * np.uint64(0xD256D193)
                a, b = (product >> np.uint64(32)) ^ b ^ k, product & low
                k = (k + np.uint64(0x9E3779B9)) & low
        return dict(u=((a ^ b) >> np.uint64(8)) * 2.0**-24)

    plain = hl.OpenCL(PLAIN, "draw", global_size=lambda p, c: (p.n,))
    four = hl.OpenCL(FOUR, "draw", global_size=lambda p, c: (-(-p.n // 4),))


MUTANTS = [
    ("plain", "narrow", "the counter has 32 bits", "first + i", "(ulong)(uint)(first + i)"),
    ("plain", "rounds", "nine rounds", "i < 10;", "i < 9;"),
    ("plain", "range", "numbers reach one", "(float)(mixed(first + i, key) >> 8) * 0x1p-24f", "(float)mixed(first + i, key) * 0x1p-32f"),
    ("plain", "key", "the key is not advanced", "key += 0x9E3779B9u;", ""),
    ("four", "stream", "four equal numbers in a row", "first + (ulong)j", "first + (ulong)i"),
    ("four", "key", "the key is a constant", "(ulong)j, key)", "(ulong)j, 12345u)"),
    ("four", "high", "the high word is dropped", "b = (uint)(counter >> 32)", "b = 0"),
    ("plain", "bits", "only 16 bits of the numbers", ">> 8) * 0x1p-24f", ">> 16) * 0x1p-16f"),
]  # fmt: skip
