"""Lines drawn into a picture of bits, 32 to a word."""

import numpy as np

import hotloop as hl

A = """
__kernel void br(__global const int *e, __global uint *img, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int x = e[4 * i], y = e[4 * i + 1];
    const int x1 = e[4 * i + 2], y1 = e[4 * i + 3], dx = abs(x1 - x), dy = -(int)abs(y1 - y), sx = x < x1 ? 1 : -1, sy = y < y1 ? 1 : -1;
    int err = dx + dy;
    for (;;) {
        atomic_or(&img[(y * 256 + x) >> 5], 1u << (x & 31));
        if (x == x1 && y == y1) break;
        const int e2 = 2 * err;
        if (e2 >= dy) { err += dy; x += sx; }
        if (e2 <= dx) { err += dx; y += sy; }
    }
}
"""


@hl.kernel(
    problem=dict(n=60),
    work=lambda p: hl.Work(flops=0, bytes=4 * 4096),
    awkward=lambda p: [dict(n=1), dict(n=7), dict(n=32)],
    domain=dict(e="range"),
)
class bresenham:
    def inputs(p, rng):
        return dict(
            e=rng.integers(0, 256, (p.n, 4), dtype="i4"),
            img=(
                rng.integers(0, 2**32, 2048, dtype="u4")
                & rng.integers(0, 2**32, 2048, dtype="u4")
                & rng.integers(0, 2**32, 2048, dtype="u4")
            ),
            n=p.n,
        )

    def reference(p, e, img, n):
        out = img.copy()
        for x, y, x1, y1 in e.tolist():
            dx, dy, sx, sy = abs(x1 - x), -abs(y1 - y), 1 if x < x1 else -1, 1 if y < y1 else -1
            err = dx + dy
            while True:
                out[(y * 256 + x) >> 5] |= np.uint32(1 << (x & 31))
                if (x, y) == (x1, y1):
                    break
                e2 = 2 * err
                if e2 >= dy:
                    err, x = err + dy, x + sx
                if e2 <= dx:
                    err, y = err + dx, y + sy
        return dict(img=out)

    a = hl.OpenCL(A, "br", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "a",
        "atomic",
        "bits set without an atomic",
        "atomic_or(&img[(y * 256 + x) >> 5], 1u << (x & 31))",
        "img[(y * 256 + x) >> 5] |= 1u << (x & 31)",
    ),
    (
        "a",
        "tail",
        "the last point is not drawn",
        "        atomic_or(&img[(y * 256 + x) >> 5], 1u << (x & 31));\n        if (x == x1 && y == y1) break;",
        "        if (x == x1 && y == y1) break;\n        atomic_or(&img[(y * 256 + x) >> 5], 1u << (x & 31));",
    ),
    ("a", "limit", "ties go along y only", "e2 >= dy", "e2 > dy"),
    (
        "a",
        "inout",
        "what stands there is overwritten",
        "atomic_or(&img[(y * 256 + x) >> 5], 1u << (x & 31))",
        "atomic_xchg(&img[(y * 256 + x) >> 5], 1u << (x & 31))",
    ),
    ("a", "atomic", "bits toggled", "atomic_or(&img", "atomic_xor(&img"),
]
