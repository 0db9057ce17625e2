"""Numbers from their remainders of three coprime moduli, by Garner's way."""

import numpy as np

import hotloop as hl

SOURCE = """
ulong power(ulong b, ulong e, const ulong m) {
    ulong r = 1;
    for (b %= m; e; e >>= 1) {
        if (e & 1) r = r * b % m;
        b = b * b % m;
    }
    return r;
}
__kernel void crt(__global const uint *a, __global ulong *out, const int n, const uint m0, const uint m1, const uint m2) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ulong x0 = a[3 * i];
    const ulong x1 = (a[3 * i + 1] + m1 - x0 % m1) % m1 * power(m0, m1 - 2, m1) % m1;
    const ulong both = (x0 + x1 * m0) % m2;
    const ulong x2 = (a[3 * i + 2] + m2 - both) % m2 * power((ulong)m0 * m1, m2 - 2, m2) % m2;
    out[i] = x0 + x1 * m0 + x2 * ((ulong)m0 * m1);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=200 * p.n, bytes=20 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=129)],
    domain=dict(m0="fixed", m1="fixed", m2="fixed"),
)
class crt:
    def inputs(p, rng):
        moduli = (998244353, 469762049, 3)
        a = np.stack([rng.integers(0, m, p.n) for m in moduli], axis=1)
        m0, m1, m2 = map(np.uint32, moduli)
        return dict(a=a.astype("u4"), out=hl.empty(p.n, "u8"), n=np.int32(p.n), m0=m0, m1=m1, m2=m2)

    def reference(p, a, out, n, m0, m1, m2):
        moduli = [int(m0), int(m1), int(m2)]
        total = moduli[0] * moduli[1] * moduli[2]
        parts = [total // m * pow(total // m, -1, m) for m in moduli]
        return dict(out=np.array([sum(int(x) * w for x, w in zip(row, parts, strict=True)) % total for row in a], "u8"))

    plain = hl.OpenCL(SOURCE, "crt", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "type",
        "the difference is taken in 32 bits",
        "(a[3 * i + 1] + m1 - x0 % m1) % m1",
        "(uint)(a[3 * i + 1] - x0 % m1) % m1 * 1UL",
    ),
    ("plain", "type", "the product of two moduli in 32 bits", "x2 * ((ulong)m0 * m1)", "x2 * (m0 * m1)"),
    (
        "plain",
        "lost-tail",
        "the highest bit of exponents is lost",
        "for (b %= m; e; e >>= 1)",
        "for (b %= m; e > 1 || (e && m < 4); e >>= 1)",
    ),
    (
        "plain",
        "index",
        "the third remainder of the one before",
        "a[3 * i + 2] + m2",
        "a[3 * max(i - (i == 128), 0) + 2] + m2",
    ),
]
