"""Jacobi symbols by reciprocity."""

import numpy as np

import hotloop as hl

A = """
__kernel void jacobi(__global const ulong *a, __global const ulong *n, __global int *y, const int m) {
    const int i = get_global_id(0);
    if (i >= m) return;
    ulong p = a[i] % n[i], q = n[i];
    int s = 1;
    while (p) {
        while (!(p & 1)) {
            p >>= 1;
            const uint r = q & 7;
            if (r == 3 || r == 5) s = -s;
        }
        const ulong t = p; p = q; q = t;
        if ((p & 3) == 3 && (q & 3) == 3) s = -s;
        p %= q;
    }
    y[i] = q == 1 ? s : 0;
}
"""


def _jacobi(a, n):
    a, s = a % n, 1
    while a:
        twos = (a & -a).bit_length() - 1
        a >>= twos
        if twos % 2 and n % 8 in (3, 5):
            s = -s
        if a % 4 == 3 and n % 4 == 3:
            s = -s
        a, n = n % a, a
    return s if n == 1 else 0


@hl.kernel(
    problem=dict(m=600),
    work=lambda p: hl.Work(flops=0, bytes=20 * p.m),
    awkward=lambda p: [dict(m=1), dict(m=65)],
)
class jacobisym:
    def inputs(p, rng):
        def drawn():
            return rng.integers(0, 2**64, p.m, dtype="u8") >> rng.integers(0, 63, p.m, dtype="u8")

        return dict(a=drawn(), n=drawn() | np.uint64(1), y=hl.empty(p.m, "i4"), m=p.m)

    def reference(p, a, n, y, m):
        return dict(
            y=np.array([_jacobi(int(x), int(z)) if int(z) % 2 else None for x, z in zip(a, n, strict=True)], "i8")
        )

    a = hl.OpenCL(A, "jacobi", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "type", "numbers of 32 bits", "ulong p = a[i] % n[i], q = n[i];", "uint p = a[i] % n[i], q = n[i];"),
    ("a", "boundary", "one residue is forgotten", "r == 3 || r == 5", "r == 3"),
    ("a", "special", "common factors are not zero", "q == 1 ? s : 0", "s"),
    ("a", "sign", "reciprocity is one-sided", "(p & 3) == 3 && (q & 3) == 3", "(p & 3) == 3"),
    ("a", "type", "the modulus is signed", "ulong p = a[i] % n[i]", "ulong p = (long)a[i] % (long)n[i]"),
]
