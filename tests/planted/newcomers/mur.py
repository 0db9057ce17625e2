"""A step of the wave equation in a plane with absorbing edges."""

import numpy as np

import hotloop as hl

A = """
__kernel void wave(__global const float *u, __global const float *old, __global float *next, const float c, const int h, const int w) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const float k = (c - 1.0f) / (c + 1.0f);
    const int in_x = x > 0 && x < w - 1, in_y = y > 0 && y < h - 1;
    const int qx = in_x ? x : (x == 0 ? 1 : w - 2), qy = in_y ? y : (y == 0 ? 1 : h - 2);
    const int q = qy * w + qx, i = y * w + x;
    const float mid = 2.0f * u[q] - old[q] + c * c * (u[q - 1] + u[q + 1] + u[q - w] + u[q + w] - 4.0f * u[q]);
    if (in_x && in_y) next[i] = mid;
    else if (in_x || in_y) next[i] = u[q] + k * (mid - u[i]);
    else next[i] = 0.5f * (u[i] + u[q]);
}
"""


@hl.kernel(
    problem=dict(h=60, w=70),
    work=lambda p: hl.Work(flops=0, bytes=12 * p.h * p.w),
    awkward=lambda p: [dict(h=3, w=3), dict(h=4, w=33), dict(h=17, w=5)],
    tolerance=hl.Tolerance(terms=16),
    linear=("u", "old"),
)
class mur:
    def inputs(p, rng):
        return dict(
            u=rng.standard_normal((p.h, p.w), "f4"),
            old=rng.standard_normal((p.h, p.w), "f4"),
            next=hl.empty((p.h, p.w)),
            c=float(rng.uniform(0.2, 0.7)),
            h=p.h,
            w=p.w,
        )

    def reference(p, u, old, next, c, h, w):  # noqa: A002
        a, b = u.astype("f8"), old.astype("f8")
        k = (c - 1) / (c + 1)
        mid = (
            2 * a[1:-1, 1:-1]
            - b[1:-1, 1:-1]
            + c * c * (a[1:-1, :-2] + a[1:-1, 2:] + a[:-2, 1:-1] + a[2:, 1:-1] - 4 * a[1:-1, 1:-1])
        )
        out = np.zeros(a.shape)
        out[1:-1, 1:-1] = mid
        out[0, 1:-1] = a[1, 1:-1] + k * (mid[0] - a[0, 1:-1])
        out[-1, 1:-1] = a[-2, 1:-1] + k * (mid[-1] - a[-1, 1:-1])
        out[1:-1, 0] = a[1:-1, 1] + k * (mid[:, 0] - a[1:-1, 0])
        out[1:-1, -1] = a[1:-1, -2] + k * (mid[:, -1] - a[1:-1, -1])
        for y, qy in ((0, 1), (-1, -2)):
            for x, qx in ((0, 1), (-1, -2)):
                out[y, x] = 0.5 * (a[y, x] + a[qy, qx])
        return dict(next=out)

    def magnitude(p, u, old, next, c, h, w):  # noqa: A002
        a, b = np.abs(u.astype("f8")), np.abs(old.astype("f8"))
        big = np.pad(4 * a + b, 2, mode="edge")
        near = sum(big[i : i + p.h, j : j + p.w] for i in range(5) for j in range(5))
        return dict(next=near)

    a = hl.OpenCL(A, "wave", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("a", "symmetry", "the left edge looks at the right one", "(x == 0 ? 1 : w - 2)", "(x == 0 ? w - 2 : 1)"),
    ("a", "bounds", "the right edge is one column early", "x < w - 1, in_y", "x < w - 2, in_y"),
    ("a", "scalar", "c instead of its square", "c * c * (u", "c * (u"),
    ("a", "symmetry", "rows are h apart", "qy * w + qx, i = y * w + x", "qy * w + qx, i = y * h + x"),
    ("a", "sign", "the edge's factor has the wrong sign", "u[q] + k *", "u[q] - k *"),
    ("a", "corner", "corners as edges", "else if (in_x || in_y)", "else"),
    ("a", "aliasing", "the old field at the edge itself", "2.0f * u[q] - old[q]", "2.0f * u[q] - old[i]"),
    ("a", "stencil", "a neighbour twice", "u[q - w] + u[q + w]", "u[q - w] + u[q - w]"),
]
