"""Words, lines and bytes that are no ASCII of a text, as wc counts them."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void wc(__global const uchar *x, __global uint *o, const int n) {
    __local uint c[3];
    const int l = get_local_id(0), i = get_global_id(0);
    if (l < 3) c[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        const uchar v = x[i], before = i ? x[i - 1] : ' ';
        const bool here = v != ' ' && v != 10 && v != 9, there = before != ' ' && before != 10 && before != 9;
        if (here && !there) atomic_inc(&c[0]);
        if (v == 10) atomic_inc(&c[1]);
        if (v >= 128) atomic_inc(&c[2]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 3) atomic_add(&o[l], c[l]);
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=777)],
)
class wordcount:
    def inputs(p, rng):
        return dict(
            x=rng.choice(np.frombuffer(b"abc    \n\t\xe4z", "u1"), p.n), o=rng.integers(0, 100, 3, dtype="u4"), n=p.n
        )

    def reference(p, x, o, n):
        blank = np.isin(x, [32, 10, 9])
        words = (~blank & np.r_[True, blank[:-1]]).sum()
        return dict(o=o + np.array([words, (x == 10).sum(), (x >= 128).sum()]))

    a = hl.OpenCL(A, "wc", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "bounds", "the byte before the text is read", "i ? x[i - 1] : ' '", "x[i - 1]"),
    ("a", "edge", "each group begins a word", "i ? x[i - 1]", "l ? x[i - 1]"),
    ("a", "sign", "bytes are signed", "if (v >= 128)", "if ((char)v < -1)"),
    ("a", "atomic", "words counted without an atomic", "atomic_inc(&c[0])", "c[0]++"),
    ("a", "barrier", "no barrier after clearing", "c[l] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", "c[l] = 0;"),
    ("a", "limit", "a tab is no blank", " && before != 9", ""),
]
