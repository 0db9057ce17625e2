"""Columns of an image smoothed by nine taps, a tile with its borders in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(8, 16, 1)))
void col(__global const float *x, __constant float *g, __global float *y, const int w, const int h) {
    __local float t[24][8];
    const int lx = get_local_id(0), ly = get_local_id(1), c = get_global_id(0), r0 = get_group_id(1) * 16;
    for (int k = ly; k < 24; k += 16) {
        const int r = clamp(r0 + k - 4, 0, h - 1);
        t[k][lx] = x[r * w + min(c, w - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int r = r0 + ly;
    if (c < w && r < h) {
        float s = 0.0f;
        for (int k = 0; k < 9; ++k) s += g[k] * t[ly + k][lx];
        y[r * w + c] = s;
    }
}
"""


@hl.kernel(
    problem=dict(w=90, h=70),
    work=lambda p: hl.Work(flops=0, bytes=4 * 2 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=9, h=17), dict(w=40, h=33)],
    tolerance=hl.Tolerance(terms=9),
    linear=("x", "g"),
)
class gausscol:
    def inputs(p, rng):
        return dict(x=rng.random((p.h, p.w), "f4"), g=rng.random(9, "f4"), y=hl.empty((p.h, p.w)), w=p.w, h=p.h)

    def reference(p, x, g, y, w, h):
        q = np.pad(x.astype("f8"), ((4, 4), (0, 0)), "edge")
        return dict(y=sum(float(g[k]) * q[k : k + p.h] for k in range(9)))

    a = hl.OpenCL(
        A, "col", global_size=lambda p, c: (-(-p.w // 8) * 8, -(-p.h // 16) * 16), local_size=lambda p, c: (8, 16)
    )


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier after loading",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    const int r = r0 + ly;",
        "    const int r = r0 + ly;",
    ),
    ("a", "bounds", "columns behind the last are loaded", "x[r * w + min(c, w - 1)]", "x[r * w + c]"),
    ("a", "uninitialised", "the last border row is not loaded", "k < 24; k += 16", "k < 23; k += 16"),
    ("a", "bounds", "ten taps", "k < 9; ++k", "k < 10; ++k"),
    ("a", "bounds", "rows are clamped one too far", "clamp(r0 + k - 4, 0, h - 1)", "clamp(r0 + k - 4, 0, h)"),
    (
        "a",
        "divergent",
        "items behind the image leave before the barrier",
        "for (int k = ly; k < 24",
        "if (c >= w) return;\n    for (int k = ly; k < 24",
    ),
]
