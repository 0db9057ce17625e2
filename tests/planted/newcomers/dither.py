"""Grey to eight pixels a byte by an ordered matrix of eight by eight."""

import numpy as np

import hotloop as hl

A = """
__kernel void dither(__global const uchar *x, __global uchar *o, const int w, const int h) {
    const int c = get_global_id(0), y = get_global_id(1), row = (w + 7) / 8;
    if (c >= row || y >= h) return;
    uint byte = 0;
    for (int k = 0; k < 8; ++k) {
        const int px = 8 * c + k;
        if (px >= w) break;
        uint m = 0, a = px ^ y, b = y;
        for (int s = 0; s < 3; ++s) m |= ((a >> s & 1) << (5 - 2 * s)) | ((b >> s & 1) << (4 - 2 * s));
        if (x[y * w + px] > 4 * m + 1) byte |= 0x80 >> k;
    }
    o[y * row + c] = byte;
}
"""


@hl.kernel(
    problem=dict(w=210, h=100),
    work=lambda p: hl.Work(flops=0, bytes=p.w * p.h * 9 // 8),
    awkward=lambda p: [dict(w=1, h=1), dict(w=15, h=9), dict(w=64, h=3)],
)
class dither:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.h, p.w), dtype="u1"), o=hl.empty((p.h, (p.w + 7) // 8), "u1"), w=p.w, h=p.h
        )

    def reference(p, x, o, w, h):
        y, px = np.indices((h, w))
        a, m = px ^ y, np.zeros((h, w), "i8")
        for s in range(3):
            m |= (a >> s & 1) << (5 - 2 * s) | (y >> s & 1) << (4 - 2 * s)
        return dict(o=np.packbits(x > 4 * m + 1, axis=1))

    a = hl.OpenCL(A, "dither", global_size=lambda p, c: ((p.w + 7) // 8, p.h))


MUTANTS = [
    ("a", "edge", "the threshold itself is white", "> 4 * m + 1", ">= 4 * m + 1"),
    ("a", "order", "the first pixel is the lowest bit", "0x80 >> k", "1 << k"),
    ("a", "matrix", "a matrix of four by four", "s < 3; ++s", "s < 2; ++s"),
    ("a", "edge", "pixels behind the row", "if (px >= w) break;", ""),
    ("a", "index", "the column alone", "a = px ^ y", "a = px"),
]
