"""Halton's points: radical inverses of counters in several bases, digits scrambled by permutations."""

import numpy as np

import hotloop as hl

A = """
__constant int PRIME[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__kernel void halton(__global const uchar *perm, __global float *o, const uint first, const int n, const int dims) {
    const int i = get_global_id(0), d = get_global_id(1);
    if (i >= n || d >= dims) return;
    const uint base = PRIME[d];
    uint left = first + i;
    double part = 1.0, sum = 0.0;
    while (left > 0) {
        part /= base;
        sum += perm[d * 20 + left % base] * part;
        left /= base;
    }
    o[i * dims + d] = (float)sum;
}
"""
PRIME = [2, 3, 5, 7, 11, 13, 17, 19]


@hl.kernel(
    problem=dict(n=1500, dims=5),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n * p.dims),
    awkward=lambda p: [dict(n=1, dims=1), dict(n=65, dims=8), dict(n=200, dims=2)],
    tolerance=hl.Tolerance(terms=lambda p: 2, absolute=1e-9),
    domain=dict(perm="structure", first="any", dims="fixed"),
)
class halton:
    def inputs(p, rng):
        perm = np.zeros((p.dims, 20), "u1")
        for d in range(p.dims):
            perm[d, 1 : PRIME[d]] = 1 + rng.permutation(PRIME[d] - 1)
        return dict(perm=perm, o=hl.empty((p.n, p.dims)), first=np.uint32(rng.integers(0, 10**6)), n=p.n, dims=p.dims)

    def reference(p, perm, o, first, n, dims):
        out = np.zeros((n, dims))
        for d in range(dims):
            left = (int(first) + np.arange(n)) & 0xFFFFFFFF
            part = 1.0
            while left.any():
                part /= PRIME[d]
                out[:, d] += perm[d, left % PRIME[d]] * part
                left = left // PRIME[d]
        return dict(o=out)

    a = hl.OpenCL(A, "halton", global_size=lambda p, c: (-(-p.n // 8) * 8, p.dims))


MUTANTS = [
    ("a", "sign", "counters are signed", "uint left = first + i;", "int left = first + i;"),
    ("a", "precision", "parts in float, sums too", "double part = 1.0, sum = 0.0;", "float part = 1.0f, sum = 0.0f;"),
    ("a", "index", "one permutation for all bases", "perm[d * 20 + left % base]", "perm[left % base]"),
    ("a", "bounds", "the highest digit is dropped", "while (left > 0)", "while (left >= base)"),
    ("a", "table", "nine is taken for a prime", "{2, 3, 5, 7, 11, 13, 17, 19}", "{2, 3, 5, 9, 11, 13, 17, 19}"),
]
