"""Sums of the bytes of each string, strings stand one behind the other, four bytes at once."""

import numpy as np

import hotloop as hl

A = """
__kernel void sums(__global const uchar *x, __global const int *at, __global int *y, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int k = at[i], s = 0;
    const int end = at[i + 1];
    for (; k + 4 <= end; k += 4) {
        const uchar4 v = vload4(0, x + k);
        s += v.x + v.y + v.z + v.w;
    }
    for (; k < end; ++k) s += x[k];
    y[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=700),
    work=lambda p: hl.Work(flops=0, bytes=4 * 6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=7), dict(n=130)],
    domain=dict(x="any"),
)
class wordsums:
    def inputs(p, rng):
        at = np.concatenate([[0], np.cumsum(rng.integers(0, 40, p.n))]).astype("i4")
        return dict(x=rng.integers(0, 256, max(int(at[-1]), 1), dtype="u1"), at=at, y=hl.empty(p.n, "i4"), n=p.n)

    def reference(p, x, at, y, n):
        return dict(y=np.array([x[a:b].astype("i8").sum() for a, b in zip(at[:-1], at[1:], strict=False)]))

    a = hl.OpenCL(A, "sums", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "bounds",
        "the last four are read whole and masked",
        "    for (; k < end; ++k) s += x[k];",
        "    if (k < end) { const uchar4 v = vload4(0, x + k); const int m = end - k; s += v.x + (m > 1 ? v.y : 0) + (m > 2 ? v.z : 0); }",
    ),
    (
        "a",
        "alignment",
        "words are read through an aligned pointer",
        "vload4(0, x + k)",
        "*(__global const uchar4 *)(x + k)",
    ),
    ("a", "type", "sums of four in a byte", "s += v.x + v.y + v.z + v.w", "s += (uchar)(v.x + v.y + v.z + v.w)"),
    ("a", "bounds", "one byte of the next string", "k + 4 <= end", "k + 3 <= end"),
    ("a", "sign", "signed bytes in the tail", "s += x[k];", "s += (char)x[k];"),
]
