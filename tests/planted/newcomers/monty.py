"""Products modulo an odd number of 32 bits in Montgomery's form."""

import numpy as np

import hotloop as hl

A = """
__kernel void monty(__global const uint *a, __global const uint *b, __global uint *r, const uint m, const uint inverse, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ulong t = (ulong)a[i] * b[i];
    const uint q = (uint)t * inverse;
    const ulong qm = (ulong)q * m;
    const uint carry = (uint)t != 0u;
    const ulong high = (t >> 32) + (qm >> 32) + carry;
    r[i] = high >= m ? (uint)(high - m) : (uint)high;
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
    domain=dict(m="fixed", inverse="fixed", a="range", b="range"),
)
class monty:
    def inputs(p, rng):
        m = int(rng.integers(2**31, 2**32 - 100)) | 1
        a, b = (rng.integers(0, 2**31, p.n, dtype="u4") for _ in "ab")
        return dict(
            a=a, b=b, r=hl.empty(p.n, "u4"), m=np.uint32(m), inverse=np.uint32(-pow(m, -1, 2**32) % 2**32), n=p.n
        )

    def reference(p, a, b, r, m, inverse, n):
        back = pow(2**32, -1, int(m))
        return dict(r=np.array([int(x) * int(y) * back % int(m) for x, y in zip(a, b, strict=True)], "u4"))

    a = hl.OpenCL(A, "monty", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "limit", "not made less than the modulus", "high >= m ?", "high > 0xFFFFFFFFul ?"),
    ("a", "carry", "the carry is always one", "(uint)t != 0u", "1u"),
    ("a", "carry", "no carry", "+ carry;", ";"),
    ("a", "narrow", "sums of 32 bits", "const ulong high =", "const uint high ="),
    ("a", "sign", "products with signs", "(ulong)q * m", "(ulong)((long)(int)q * m)"),
    ("a", "bounds", "one item too few", "if (i >= n)", "if (i >= n - 1)"),
]
