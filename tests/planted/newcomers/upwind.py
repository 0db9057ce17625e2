"""Two steps of advection in a periodic plane, by the wind's side, velocities of either sign."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *c, __global const float *u, __global const float *v, __global float *o, const int h, const int w, const float dt) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    const int at = y * w + x;
    const float mid = c[at];
    const float east = c[y * w + (x + 1 == w ? 0 : x + 1)], west = c[y * w + (x ? x : w) - 1];
    const float south = c[(y + 1 == h ? 0 : y + 1) * w + x], north = c[((y ? y : h) - 1) * w + x];
    const float dx = u[at] > 0 ? mid - west : east - mid, dy = v[at] > 0 ? mid - north : south - mid;
    o[at] = mid - dt * (u[at] * dx + v[at] * dy);
}
"""


@hl.kernel(
    problem=dict(h=60, w=90),
    work=lambda p: hl.Work(flops=9 * p.h * p.w, bytes=16 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=2, w=33), dict(h=7, w=3)],
    tolerance=hl.Tolerance(terms=8, absolute=1e-5),
    domain=dict(dt="range"),
)
class upwind:
    def inputs(p, rng):
        c, u, v = rng.standard_normal((3, p.h, p.w), "f4")
        return dict(c=c, u=u, v=v, o=hl.empty((p.h, p.w)), h=np.int32(p.h), w=np.int32(p.w), dt=np.float32(0.125))

    def reference(p, c, u, v, o, h, w, dt):
        m, a, b = c.astype("f8"), u.astype("f8"), v.astype("f8")
        dx = np.where(a > 0, m - np.roll(m, 1, 1), np.roll(m, -1, 1) - m)
        dy = np.where(b > 0, m - np.roll(m, 1, 0), np.roll(m, -1, 0) - m)
        return dict(o=m - float(dt) * (a * dx + b * dy))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("plain", "wrap", "the east is clamped", "x + 1 == w ? 0 : x + 1", "min(x + 1, w - 1)"),
    ("plain", "wrap", "the north wraps by the width", "((y ? y : h) - 1)", "((y ? y : min(w, h)) - 1)"),
    ("plain", "sign", "the wind's side is turned in y", "v[at] > 0 ? mid - north", "v[at] < 0 ? mid - north"),
    ("plain", "scalar", "the step is 0.1", "mid - dt *", "mid - 0.1f *"),
    ("plain", "index", "the wind of the western neighbour", "u[at] > 0 ?", "u[max(at - 1, 0)] > 0 ?"),
]
