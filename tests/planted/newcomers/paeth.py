"""PNG's Paeth filter undone, row after row of several images, pixels of some bytes."""

import numpy as np

import hotloop as hl

A = """
int nearest(int a, int b, int c) {
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    if (pa <= pb && pa <= pc) return a;
    return pb <= pc ? b : c;
}
__kernel void unfilter(__global const uchar *in, __global uchar *o, const int images, const int rows, const int width, const int bpp) {
    const int image = get_global_id(0) / bpp, channel = get_global_id(0) % bpp;
    if (image >= images) return;
    const int bytes = width * bpp;
    for (int y = 0; y < rows; ++y) {
        const size_t row = ((size_t)image * rows + y) * bytes;
        int left = 0, corner = 0;
        for (int x = channel; x < bytes; x += bpp) {
            const int up = y > 0 ? o[row - bytes + x] : 0;
            left = (in[row + x] + nearest(left, up, corner)) & 255;
            corner = up;
            o[row + x] = left;
        }
    }
}
"""


@hl.kernel(
    problem=dict(images=6, rows=12, width=31, bpp=3),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.images * p.rows * p.width * p.bpp),
    awkward=lambda p: [
        dict(images=1, rows=1, width=1, bpp=1),
        dict(images=3, rows=5, width=9, bpp=4),
        dict(images=2, rows=20, width=3, bpp=2),
    ],
    domain=dict(bpp="fixed"),
)
class paeth:
    def inputs(p, rng):
        shape = (p.images, p.rows, p.width * p.bpp)
        return {
            "in": rng.integers(0, 256, shape).astype("u1"),
            "o": hl.empty(shape, "u1"),
            "images": p.images,
            "rows": p.rows,
            "width": p.width,
            "bpp": p.bpp,
        }

    def reference(p, **given):
        x = given["in"].astype("i8")
        out = np.zeros((p.images, p.rows + 1, (p.width + 1) * p.bpp), "i8")
        for y in range(p.rows):
            for i in range(p.width * p.bpp):
                a, b, c = out[:, y + 1, i], out[:, y, i + p.bpp], out[:, y, i]
                q = a + b - c
                pa, pb, pc = abs(q - a), abs(q - b), abs(q - c)
                pred = np.where((pa <= pb) & (pa <= pc), a, np.where(pb <= pc, b, c))
                out[:, y + 1, i + p.bpp] = (x[:, y, i] + pred) & 255
        return dict(o=out[:, 1:, p.bpp :])

    a = hl.OpenCL(A, "unfilter", global_size=lambda p, c: (p.images * p.bpp,))


MUTANTS = [
    ("a", "tie", "the corner before the upper one", "pb <= pc ? b : c", "pb < pc ? b : c"),
    ("a", "narrow", "the sum in bytes that are signed", "const int p = a + b - c", "const char p = a + b - c"),
    ("a", "order", "the corner is the one before", "            corner = up;\n", ""),
    (
        "a",
        "scope",
        "left and corner are not cleared for a new row",
        "    for (int y = 0; y < rows; ++y) {\n        const size_t row = ((size_t)image * rows + y) * bytes;\n        int left = 0, corner = 0;",
        "    int left = 0, corner = 0;\n    for (int y = 0; y < rows; ++y) {\n        const size_t row = ((size_t)image * rows + y) * bytes;",
    ),
    ("a", "stride", "one channel only is left behind", "x = channel; x < bytes;", "x = channel; x < bytes - bpp;"),
]
