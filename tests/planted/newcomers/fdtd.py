"""A step of Maxwell's equations in the plane (TM): magnetic fields, then the electric one, in two launches of one source."""

import numpy as np

import hotloop as hl

A = """
__kernel void both(__global const float *ez, __global const float *hx, __global const float *hy, __global const float *eps,
                   __global float *out, const int w, const int h, const float c) {
    const int x = get_global_id(0), y = get_global_id(1), i = y * w + x;
    if (x >= w || y >= h) return;
    if (x == 0 || y == 0) { out[i] = ez[i]; return; }
    const float up = y + 1 < h ? ez[i + w] : 0.0f, right = x + 1 < w ? ez[i + 1] : 0.0f;
    const float here_x = hx[i] - c * (up - ez[i]), below_x = hx[i - w] - c * (ez[i] - ez[i - w]);
    const float here_y = hy[i] + c * (right - ez[i]), left_y = hy[i - 1] + c * (ez[i] - ez[i - 1]);
    out[i] = ez[i] + c / eps[i] * (here_y - left_y - here_x + below_x);
}
"""


@hl.kernel(
    problem=dict(w=130, h=70),
    work=lambda p: hl.Work(flops=20 * p.w * p.h, bytes=20 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=17, h=3), dict(w=2, h=33)],
    tolerance=hl.Tolerance(terms=12, absolute=1e-5),
    domain=dict(ez="range", hx="range", hy="range", eps="range"),
)
class fdtd:
    def inputs(p, rng):
        draw = lambda: rng.standard_normal((p.h, p.w), "f4")
        return dict(
            ez=draw(),
            hx=draw(),
            hy=draw(),
            eps=(1 + rng.random((p.h, p.w), "f4")),
            out=hl.empty((p.h, p.w)),
            w=p.w,
            h=p.h,
            c=0.5,
        )

    def reference(p, ez, hx, hy, eps, out, w, h, c):
        e, a, b = ez.astype("f8"), hx.astype("f8"), hy.astype("f8")
        up, right = np.zeros((h, w)), np.zeros((h, w))
        up[:-1], right[:, :-1] = e[1:], e[:, 1:]
        a, b = a - c * (up - e), b + c * (right - e)
        made = e.copy()
        made[1:, 1:] += c / eps[1:, 1:].astype("f8") * (b[1:, 1:] - b[1:, :-1] - a[1:, 1:] + a[:-1, 1:])
        return dict(out=made)

    a = hl.OpenCL(A, "both", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("a", "sign", "the magnetic field has the other sign", "hx[i] - c * (up", "hx[i] + c * (up"),
    ("a", "edge", "behind the last row lies the next one", "y + 1 < h ? ez[i + w] : 0.0f", "ez[i + w]"),
    ("a", "edge", "the right border is a copy", "x + 1 < w ? ez[i + 1] : 0.0f", "x + 1 < w ? ez[i + 1] : ez[i]"),
    ("a", "scalar", "c is a half", "c / eps[i]", "0.5f / eps[i]"),
    ("a", "corner", "the first column is stepped, too", "if (x == 0 || y == 0)", "if (y == 0 || (x == 0 && y == 1))"),
]
