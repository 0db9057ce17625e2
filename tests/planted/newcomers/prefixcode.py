"""Symbols of a prefix code by a table of 256 entries that each group builds in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void decode(__global const uint *bits, __global const uchar *lens, __global uchar *y, const int words) {
    __local uchar sym[256], of[256];
    const int l = get_local_id(0);
    int start = 0;
    for (int s = 0; s < 8; ++s) {
        const int span = 256 >> lens[s];
        for (int k = start + l; k < start + span; k += 32) { sym[k] = s; of[k] = lens[s]; }
        start += span;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int w = get_global_id(0);
    if (w >= words) return;
    const uint v = bits[w];
    uint at = 0;
    for (int k = 0; k < 8; ++k) {
        const uint top = (v << at) >> 24;
        y[w * 8 + k] = sym[top];
        at += of[top];
        if (at >= 32) at = 31;
    }
}
"""


@hl.kernel(
    problem=dict(n=1000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 3 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=31), dict(n=70)],
    domain=dict(lens="fixed"),
)
class prefixcode:
    def inputs(p, rng):
        return dict(
            bits=rng.integers(0, 2**32, p.n, dtype="u4"),
            lens=np.array([1, 3, 4, 4, 4, 4, 4, 4], "u1"),
            y=hl.empty(p.n * 8, "u1"),
            words=p.n,
        )

    def reference(p, bits, lens, y, words):
        sym, of = (
            np.repeat(np.arange(8), 256 >> lens.astype("i8")),
            np.repeat(lens, 256 >> lens.astype("i8")).astype("i8"),
        )
        at, out = np.zeros(p.n, "u8"), []
        for _ in range(8):
            top = ((bits.astype("u8") << at) & np.uint64(0xFFFFFFFF)) >> np.uint64(24)
            out.append(sym[top])
            at = np.minimum(at + of[top].astype("u8"), np.uint64(31))
        return dict(y=np.stack(out, 1).reshape(-1))

    a = hl.OpenCL(A, "decode", global_size=lambda p, c: (-(-p.n // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier after the table",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    const int w",
        "    const int w",
    ),
    ("a", "uninitialised", "the last symbol's entries are not set", "s < 8; ++s", "s < 7; ++s"),
    ("a", "bounds", "one entry behind the table", "k < start + span; k += 32", "k <= start + span; k += 32"),
    ("a", "shift", "signed bits", "(v << at) >> 24", "((int)v << at) >> 24"),
    (
        "a",
        "divergent",
        "items behind the end leave first",
        "    int start = 0;",
        "    if (get_global_id(0) >= words) return;\n    int start = 0;",
    ),
]
