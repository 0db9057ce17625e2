"""HyperLogLog: registers of the largest number of leading zeros, from the groups' own in local memory; keys of 64 bits are hashed."""

import numpy as np

import hotloop as hl

A = """
#define M 256
ulong finish(ulong k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdUL;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53UL;
    return k ^ k >> 33;
}
__kernel void registers(__global const ulong *key, __global int *o, const int n) {
    __local int own[M];
    const int t = get_local_id(0), wg = get_local_size(0);
    for (int i = t; i < M; i += wg) own[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        const ulong h = finish(key[i]);
        const int at = h >> 56;
        atomic_max(&own[at], (int)clz(h << 8 | 0x80UL) + 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < M; i += wg)
        if (own[i]) atomic_max(&o[i], own[i]);
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=100), dict(n=3001)],
)
class hyperll:
    def inputs(p, rng):
        return dict(key=rng.integers(0, 2**64, p.n, dtype="u8"), o=rng.integers(0, 4, 256).astype("i4"), n=p.n)

    def reference(p, key, o, n):
        u = np.uint64
        k = key.copy()
        with np.errstate(over="ignore"):
            k ^= k >> u(33)
            k *= u(0xFF51AFD7ED558CCD)
            k ^= k >> u(33)
            k *= u(0xC4CEB9FE1A85EC53)
            k ^= k >> u(33)
        at, rest = (k >> u(56)).astype("i8"), k << u(8) | u(0x80)
        zeros = 64 - np.array([int(v).bit_length() for v in rest])
        out = o.astype("i8")
        np.maximum.at(out, at, zeros + 1)
        return dict(o=out)

    a = hl.OpenCL(A, "registers", global_size=lambda p, c: (512,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "atomic",
        "own registers without an atomic",
        "atomic_max(&own[at], (int)clz(h << 8 | 0x80UL) + 1);",
        "own[at] = max(own[at], (int)clz(h << 8 | 0x80UL) + 1);",
    ),
    ("a", "atomic", "results without an atomic", "atomic_max(&o[i], own[i]);", "o[i] = max(o[i], own[i]);"),
    ("a", "inout", "what was there is lost", "atomic_max(&o[i], own[i]);", "atomic_xchg(&o[i], own[i]);"),
    ("a", "uninitialised", "own registers are not cleared", "    for (int i = t; i < M; i += wg) own[i] = 0;\n", ""),
    (
        "a",
        "uninitialised",
        "half of the own registers are not cleared",
        "i < M; i += wg) own[i] = 0",
        "i < M / 2; i += wg) own[i] = 0",
    ),
    (
        "a",
        "barrier",
        "no barrier before registers are handed on",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int i = t; i < M; i += wg)\n        if",
        "    for (int i = t; i < M; i += wg)\n        if",
    ),
    ("a", "narrow", "zeros of 32 bits", "(int)clz(h << 8 | 0x80UL)", "clz((int)(h >> 24))"),
]
