"""Rows of sixteen bytes sorted by Batcher's odd-even merging network, and how many pairs were exchanged."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uchar *x, __global uchar *o, __global int *swaps, int rows) {
    int r = get_global_id(0), n = 0;
    if (r >= rows) return;
    uchar v[16];
    for (int i = 0; i < 16; ++i) v[i] = x[16 * r + i];
    for (int p = 1; p < 16; p *= 2)
        for (int q = p; q >= 1; q /= 2)
            for (int j = q % p; j + q < 16; j += 2 * q)
                for (int i = 0; i < q; ++i)
                    if ((i + j) / (2 * p) == (i + j + q) / (2 * p) && i + j + q < 16) {
                        uchar a = v[i + j], b = v[i + j + q];
                        if (a > b) { v[i + j] = b; v[i + j + q] = a; ++n; }
                    }
    for (int i = 0; i < 16; ++i) o[16 * r + i] = v[i];
    swaps[r] = n;
}
"""
B = """
__kernel void k(__global const uchar *x, __global uchar *o, __global int *swaps, int rows) {
    int r = get_group_id(0), l = get_local_id(0);
    __local uchar v[16];
    __local int n;
    v[l] = x[16 * r + l];
    if (l == 0) n = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 1; p < 16; p *= 2)
        for (int q = p; q >= 1; q /= 2) {
            int first = l >= q % p && (l - q % p) / q % 2 == 0 && l + q < 16 && l / (2 * p) == (l + q) / (2 * p);
            if (first && v[l] > v[l + q]) {
                uchar a = v[l]; v[l] = v[l + q]; v[l + q] = a;
                atomic_inc(&n);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    o[16 * r + l] = v[l];
    if (l == 0) swaps[r] = n;
}
"""


@hl.kernel(
    problem=dict(rows=400),
    work=lambda p: hl.Work(flops=126 * p.rows, bytes=36 * p.rows),
    awkward=lambda p: [dict(rows=1), dict(rows=37)],
)
class batcher:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.rows, 16), dtype="u1"),
            o=hl.empty((p.rows, 16), "uint8"),
            swaps=hl.empty(p.rows, "int32"),
            rows=p.rows,
        )

    def reference(p, x, o, swaps, rows):
        v = x.astype("i8").T.copy()
        n = np.zeros(rows, "i8")
        p_ = 1
        while p_ < 16:
            q = p_
            while q >= 1:
                for j in range(q % p_, 16 - q, 2 * q):
                    for i in range(q):
                        a, b = i + j, i + j + q
                        if b < 16 and a // (2 * p_) == b // (2 * p_):
                            s = v[a] > v[b]
                            n += s
                            v[a], v[b] = np.minimum(v[a], v[b]), np.maximum(v[a], v[b])
                q //= 2
            p_ *= 2
        return dict(o=v.T, swaps=n)

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.rows,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.rows * 16,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("a", "ties", "equal ones are exchanged", "if (a > b)", "if (a >= b)"),
    ("a", "last", "the last stage is left out", "p < 16; p *= 2", "p < 8; p *= 2"),
    ("a", "sign", "signed bytes", "uchar a = v[i + j], b = v[i + j + q];", "char a = v[i + j], b = v[i + j + q];"),
    ("b", "barrier", "no barrier within stages", "            barrier(CLK_LOCAL_MEM_FENCE);\n        }", "        }"),
    ("b", "atomic", "no atomic", "atomic_inc(&n);", "n++;"),
    ("b", "start", "the count is not cleared", "if (l == 0) n = 0;", ""),
    ("b", "last", "the last pair is never compared", "l + q < 16", "l + q < 15"),
]
