"""Places of bit images where a pattern of three by three stands: ones, zeros and what does not matter; outside is zero."""

import numpy as np

import hotloop as hl

A = """
__kernel void hm(__global const uchar *x, __global uchar *o, const int h, const int w, const int ones, const int zeros) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= w || r >= h) return;
    int seen = 0;
    for (int dr = -1; dr <= 1; ++dr)
        for (int dc = -1; dc <= 1; ++dc) {
            const int rr = r + dr, cc = c + dc;
            const int in = rr >= 0 && rr < h && cc >= 0 && cc < w;
            if (in && x[rr * w + cc]) seen |= 1 << (3 * (dr + 1) + dc + 1);
        }
    o[r * w + c] = (seen & ones) == ones && (seen & zeros) == 0 ? 255 : 0;
}
"""


@hl.kernel(
    problem=dict(h=50, w=70),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=2, w=33), dict(h=17, w=3)],
    domain=dict(x="range"),
)
class hitmiss:
    def inputs(p, rng):
        which = rng.integers(0, 3, 9)
        which[rng.integers(0, 9, 5)] = 2
        ones, zeros = (int(((which == k) << np.arange(9)).sum()) for k in (1, 0))
        x = (rng.random((p.h, p.w)) < 0.5) * rng.integers(1, 256, (p.h, p.w))
        return dict(x=x.astype("u1"), o=hl.empty((p.h, p.w), "u1"), h=p.h, w=p.w, ones=ones, zeros=zeros)

    def reference(p, x, o, h, w, ones, zeros):
        big = np.zeros((p.h + 2, p.w + 2), bool)
        big[1:-1, 1:-1] = x != 0
        good = np.ones((p.h, p.w), bool)
        for k in range(9):
            part = big[k // 3 : k // 3 + p.h, k % 3 : k % 3 + p.w]
            if ones >> k & 1:
                good &= part
            if zeros >> k & 1:
                good &= ~part
        return dict(o=good * 255)

    a = hl.OpenCL(A, "hm", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("a", "bounds", "the last column is outside", "cc < w;", "cc < w - 1;"),
    ("a", "bounds", "columns beyond a row belong to the next one", "&& cc >= 0 && cc < w;", "&& cc >= 0;"),
    ("a", "bounds", "the row above the image is read", "rr >= 0 && rr < h", "rr < h"),
    ("a", "transposed", "the pattern is transposed", "3 * (dr + 1) + dc + 1", "3 * (dc + 1) + dr + 1"),
    (
        "a",
        "bits",
        "only the lowest bit of a pixel counts",
        "if (in && x[rr * w + cc])",
        "if (in && (x[rr * w + cc] & 1))",
    ),
    ("a", "mask", "any of the ones is enough", "(seen & ones) == ones", "((seen & ones) || !ones)"),
    ("a", "scalar", "zeros are what are no ones", "(seen & zeros) == 0", "(seen & ~ones) == 0"),
    ("a", "mirrored", "the pattern is turned", "1 << (3 * (dr + 1) + dc + 1)", "256 >> (3 * (dr + 1) + dc + 1)"),
    ("a", "narrow", "the pattern's last place is lost in a byte", "int seen = 0;", "uchar seen = 0;"),
]
