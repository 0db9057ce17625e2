"""Records of eleven bytes (kind, 16-bit count, 32-bit amount, 32-bit key, low byte first) to columns; amounts negated where the kind is odd."""

import numpy as np

import hotloop as hl

A = """
__kernel void k(__global const uchar *t, __global int *amount, __global ushort *count, __global uint *key, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    __global const uchar *p = t + 11 * i;
    count[i] = p[1] | p[2] << 8;
    int a = (int)(p[3] | p[4] << 8 | p[5] << 16 | (uint)p[6] << 24);
    amount[i] = p[0] & 1 ? -a : a;
    key[i] = p[7] | p[8] << 8 | p[9] << 16 | (uint)p[10] << 24;
}
"""
B = """
typedef struct __attribute__((packed)) { uchar kind; ushort count; int amount; uint key; } record;
__kernel void k(__global const uchar *t, __global int *amount, __global ushort *count, __global uint *key, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    const record r = ((__global const record *)t)[i];
    count[i] = r.count;
    amount[i] = (int)(((uint)r.amount ^ -(uint)(r.kind & 1)) + (r.kind & 1));
    key[i] = r.key;
}
"""


@hl.kernel(
    problem=dict(n=2500),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=21 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=100)],
)
class records:
    def inputs(p, rng):
        return dict(
            t=rng.integers(0, 256, 11 * p.n, dtype="u1"),
            amount=hl.empty(p.n, "int32"),
            count=hl.empty(p.n, "uint16"),
            key=hl.empty(p.n, "uint32"),
            n=p.n,
        )

    def reference(p, t, amount, count, key, n):
        r = t.view([("kind", "u1"), ("count", "<u2"), ("amount", "<i4"), ("key", "<u4")])
        a = r["amount"].astype("i8")
        return dict(amount=np.where(r["kind"] & 1, -a, a).astype("i4"), count=r["count"], key=r["key"])

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.n,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "order", "bytes of the count exchanged", "p[1] | p[2] << 8", "p[2] | p[1] << 8"),
    ("a", "mask", "all bits of the kind", "p[0] & 1 ?", "p[0] ?"),
    ("a", "sign", "the high byte of the amount carries no sign", "(uint)p[6] << 24", "(uint)(p[6] & 127) << 24"),
    ("b", "packed", "records are aligned", "struct __attribute__((packed)) {", "struct {"),
    ("b", "sign", "signed counts", "count[i] = r.count;", "count[i] = abs((short)r.count);"),
    ("b", "negate", "complement without one", " + (r.kind & 1))", ")"),
    ("b", "last", "the last record is left", "i >= n", "i >= n - 1"),
]
