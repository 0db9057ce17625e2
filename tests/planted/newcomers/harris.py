"""Harris's measure of corners: sums over 3 x 3 of products of differences, determinant less k times the trace squared; borders repeat."""

import numpy as np

import hotloop as hl

A = """
float pixel(__global const float *im, int x, int y, int w, int h) { return im[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)]; }
__kernel void harris(__global const float *im, __global float *out, const int w, const int h, const float k) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    float xx = 0.0f, yy = 0.0f, xy = 0.0f;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int u = clamp(x + dx, 0, w - 1), v = clamp(y + dy, 0, h - 1);
            const float gx = pixel(im, u + 1, v, w, h) - pixel(im, u - 1, v, w, h);
            const float gy = pixel(im, u, v + 1, w, h) - pixel(im, u, v - 1, w, h);
            xx += gx * gx;
            yy += gy * gy;
            xy += gx * gy;
        }
    out[y * w + x] = xx * yy - xy * xy - k * (xx + yy) * (xx + yy);
}
"""


def _sums(p, im):
    big = np.pad(im.astype("f8"), 1, mode="edge")
    gx, gy = big[1:-1, 2:] - big[1:-1, :-2], big[2:, 1:-1] - big[:-2, 1:-1]

    def window(a):
        b = np.pad(a, 1, mode="edge")
        return sum(b[i : i + p.h, j : j + p.w] for i in range(3) for j in range(3))

    return window(gx * gx), window(gy * gy), window(gx * gy), window(np.abs(gx * gy))


@hl.kernel(
    problem=dict(w=80, h=60),
    work=lambda p: hl.Work(flops=80 * p.w * p.h, bytes=8 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=2, h=17), dict(w=67, h=3)],
    tolerance=hl.Tolerance(terms=24),
)
class harris:
    def inputs(p, rng):
        return dict(
            im=rng.random((p.h, p.w)).astype("f4"),
            out=hl.empty((p.h, p.w)),
            w=p.w,
            h=p.h,
            k=np.float32(rng.uniform(0.04, 0.06)),
        )

    def reference(p, im, out, w, h, k):
        xx, yy, xy, _ = _sums(p, im)
        return dict(out=xx * yy - xy * xy - np.float64(k) * (xx + yy) ** 2)

    def magnitude(p, im, out, w, h, k):
        size = np.pad(np.abs(im.astype("f8")), 3, mode="edge")
        most = sum(size[i : i + p.h, j : j + p.w] for i in range(7) for j in range(7)) ** 2
        return dict(out=2 * most * most + abs(float(k)) * 4 * most * most)

    a = hl.OpenCL(A, "harris", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("a", "scalar", "k is dropped", " - k * (xx + yy)", " - 0.05f * (xx + yy)"),
    (
        "a",
        "border",
        "windows do not repeat the border",
        "const int u = clamp(x + dx, 0, w - 1), v = clamp(y + dy, 0, h - 1);",
        "const int u = x + dx, v = y + dy;",
    ),
    ("a", "border", "the last column is left out at the border", "clamp(x, 0, w - 1)]", "clamp(x, 0, max(w - 2, 0))]"),
    ("a", "stride", "rows are h long", "* w + clamp(x, 0, w - 1)]", "* h + clamp(x, 0, w - 1)]"),
    ("a", "sign", "the mixed product by magnitude", "xy += gx * gy;", "xy += fabs(gx * gy);"),
    ("a", "extent", "windows of two", "dx <= 1; ++dx", "dx < 1; ++dx"),
    ("a", "swap", "one product is the mixed one", "yy += gy * gy;", "yy += gy * gx;"),
]
