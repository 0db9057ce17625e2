"""Products of polynomials of degree below n modulo x^n + 1 and a prime: what goes beyond comes back with the other sign."""

import numpy as np

import hotloop as hl

A = """
__kernel void product(__global const uint *a, __global const uint *b, __global uint *c, const int n, const uint q) {
    const int k = get_global_id(0), row = get_global_id(1);
    if (k >= n) return;
    ulong sum = 0;
    for (int i = 0; i < n; ++i) {
        const int j = k - i;
        const ulong t = (ulong)a[row * n + i] * b[row * n + (j < 0 ? j + n : j)] % q;
        sum += j < 0 ? q - t : t;
    }
    c[row * n + k] = sum % q;
}
"""


@hl.kernel(
    problem=dict(m=9, n=64),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=2, n=3), dict(m=3, n=33)],
    domain=dict(a="range", b="range"),
)
class negacyc:
    def inputs(p, rng):
        return dict(
            a=rng.integers(0, 2147483647, (p.m, p.n), dtype="u4"), b=rng.integers(0, 2147483647, (p.m, p.n), dtype="u4"),
            c=hl.empty((p.m, p.n), "u4"), n=p.n, q=np.uint32(2147483647),
        )  # fmt: skip

    def reference(p, a, b, c, n, q):
        out = np.zeros((p.m, p.n), object)
        for i in range(p.n):
            rolled = np.roll(b, i, 1).astype(object)
            rolled[:, :i] = -rolled[:, :i]
            out += a[:, i : i + 1].astype(object) * rolled
        return dict(c=(out % int(q)).astype("u4"))

    a = hl.OpenCL(A, "product", global_size=lambda p, c: (p.n, p.m))


MUTANTS = [
    ("a", "sign", "cyclic, not negacyclic", "j < 0 ? q - t : t", "t"),
    ("a", "type", "products of 32 bits", "(ulong)a[row * n + i] *", "a[row * n + i] *"),
    ("a", "type", "the sum has 32 bits", "ulong sum = 0", "uint sum = 0"),
    ("a", "reduction", "not reduced at the end", "c[row * n + k] = sum % q", "c[row * n + k] = sum"),
    ("a", "index", "rows of b are all the first", "b[row * n + (", "b[("),
    ("a", "bounds", "the last term is lost", "i < n; ++i", "i < n - 1; ++i"),
]
