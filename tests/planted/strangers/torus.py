"""Five-point stencil on a torus: neighbours wrap around."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void torus(__global const float *x, __global float *y, const float c, const int h, const int w) {
    const int i = get_global_id(1), j = get_global_id(0);
    if (i >= h || j >= w) return;
    const int up = (i + h - 1) % h, down = (i + 1) % h, left = (j + w - 1) % w, right = (j + 1) % w;
    y[i * w + j] = x[i * w + j] + c * (x[up * w + j] + x[down * w + j] + x[i * w + left] + x[i * w + right] - 4.0f * x[i * w + j]);
}
"""
TILE = """
__kernel void torus(__global const float *x, __global float *y, const float c, const int h, const int w) {
    __local float a[10][10];
    const int li = get_local_id(1), lj = get_local_id(0), i0 = 8 * get_group_id(1), j0 = 8 * get_group_id(0);
    for (int k = 8 * li + lj; k < 100; k += 64) {
        const int i = (i0 + k / 10 - 1 + h) % h, j = (j0 + k % 10 - 1 + w) % w;
        a[k / 10][k % 10] = x[i * w + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = i0 + li, j = j0 + lj;
    if (i >= h || j >= w) return;
    const float m = a[li + 1][lj + 1];
    y[i * w + j] = m + c * (a[li][lj + 1] + a[li + 2][lj + 1] + a[li + 1][lj] + a[li + 1][lj + 2] - 4.0f * m);
}
"""


@hl.kernel(
    problem=dict(h=120, w=200),
    work=lambda p: hl.Work(flops=7 * p.h * p.w, bytes=8 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=9, w=17), dict(h=31, w=8)],
    tolerance=hl.Tolerance(terms=lambda p: 6),
    linear=("x",),
)
class torus:
    def inputs(p, rng):
        x = rng.standard_normal((p.h, p.w), "f4")
        return dict(x=x, y=hl.empty((p.h, p.w)), c=0.125, h=np.int32(p.h), w=np.int32(p.w))

    def reference(p, x, y, c, h, w):
        v = x.astype("f8")
        around = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1)
        return dict(y=v + np.float32(c) * (around - 4 * v))

    def magnitude(p, x, y, c, h, w):
        v = abs(x.astype("f8"))
        around = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1)
        return dict(y=v + abs(np.float32(c)) * (around + 4 * v))

    args = ("x", "y", "c", "h", "w")
    plain = hl.OpenCL(PLAIN, "torus", global_size=lambda p, c: (p.w, p.h), args=args)
    tile = hl.OpenCL(
        TILE,
        "torus",
        args=args,
        global_size=lambda p, c: (-(-p.w // 8) * 8, -(-p.h // 8) * 8),
        local_size=lambda p, c: (8, 8),
    )


MUTANTS = [
    ("plain", "wrap", "rows wrap at the width", "(i + 1) % h", "(i + 1) % w"),
    ("plain", "clamp", "clamped at the left instead of wrapped", "(j + w - 1) % w", "max(j - 1, 0)"),
    ("plain", "zero", "zero beyond the lower edge", "x[down * w + j]", "(i + 1 < h ? x[down * w + j] : 0.0f)"),
    ("plain", "scalar", "the coefficient is a constant", "+ c * (", "+ 0.125f * ("),
    ("tile", "halo", "the halo is not filled at the right", "k < 100;", "k < 98;"),
    ("tile", "halo", "wraps at one less", "(j0 + k % 10 - 1 + w) % w", "min(j0 + k % 10 - 1 + (j0 + k % 10 ? 0 : w), w)"),
    ("tile", "barrier", "no barrier behind the fill", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("tile", "swap", "rows and columns of the last neighbour are swapped", "a[li + 1][lj + 2]", "a[li + 2][lj + 1]"),
]  # fmt: skip
