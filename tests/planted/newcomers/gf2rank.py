"""Ranks of matrices of bits, 32 columns in a word: elimination in private memory."""

import numpy as np

import hotloop as hl

A = """
__kernel void rank(__global const uint *rows, __global int *rank, const int m, const int n) {
    const int i = get_global_id(0);
    if (i >= m) return;
    uint basis[32];
    for (int k = 0; k < 32; ++k) basis[k] = 0;
    int count = 0;
    for (int r = 0; r < n; ++r) {
        uint v = rows[i * n + r];
        while (v) {
            const int top = 31 - clz(v);
            if (!basis[top]) { basis[top] = v; ++count; break; }
            v ^= basis[top];
        }
    }
    rank[i] = count;
}
"""


def _rank(rows):
    basis = {}
    for value in map(int, rows):
        while value:
            top = value.bit_length()
            if top not in basis:
                basis[top] = value
                break
            value ^= basis[top]
    return len(basis)


@hl.kernel(
    problem=dict(m=120, n=24),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=3, n=40), dict(m=65, n=5)],
    domain=dict(rows="any"),
)
class gf2rank:
    def inputs(p, rng):
        rows = rng.integers(0, 2**32, (p.m, p.n), dtype="u4")
        rows[::2] &= rng.integers(0, 2**32, (len(rows[::2]), 1), dtype="u4")
        return dict(rows=rows, rank=hl.empty(p.m, "i4"), m=p.m, n=p.n)

    def reference(p, rows, rank, m, n):
        return dict(rank=np.array([_rank(row) for row in rows]))

    a = hl.OpenCL(A, "rank", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "initial", "the basis is not cleared", "for (int k = 0; k < 32; ++k) basis[k] = 0;", ""),
    ("a", "initial", "its last word is not cleared", "k < 32; ++k", "k < 31; ++k"),
    ("a", "type", "rows of 31 bits", "uint v = rows[i * n + r]", "uint v = rows[i * n + r] & 0x7fffffffu"),
    ("a", "bounds", "the last row is lost", "r < n; ++r", "r < n - (n > 1); ++r"),
    ("a", "operator", "or for exclusive or", "v ^= basis[top]", "v &= ~basis[top]"),
]
