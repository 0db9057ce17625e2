"""One sweep of a five-point stencil with a tile in local memory; beyond the border lies a constant."""

import numpy as np

import hotloop as hl

TILE = """
#define T 8
__kernel void k(__global const float *x, __global float *o, const int h, const int w, const float edge) {
    __local float t[T + 2][T + 2];
    const int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * T + lx, gy = get_group_id(1) * T + ly;
    for (int j = ly; j < T + 2; j += T)
        for (int i = lx; i < T + 2; i += T) {
            const int a = get_group_id(1) * T + j - 1, b = get_group_id(0) * T + i - 1;
            t[j][i] = a >= 0 && a < h && b >= 0 && b < w ? x[a * w + b] : edge;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (gx < w && gy < h)
        o[gy * w + gx] = 0.25f * (t[ly][lx + 1] + t[ly + 2][lx + 1] + t[ly + 1][lx] + t[ly + 1][lx + 2]);
}
"""


@hl.kernel(
    problem=dict(h=60, w=75),
    work=lambda p: hl.Work(flops=4 * p.h * p.w, bytes=8 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=8, w=8), dict(h=9, w=17)],
)
class laplace:
    def inputs(p, rng):
        x = rng.standard_normal((p.h, p.w), "f4")
        return dict(
            x=x, o=hl.empty((p.h, p.w)), h=np.int32(p.h), w=np.int32(p.w), edge=np.float32(rng.standard_normal())
        )

    def reference(p, x, o, h, w, edge):
        y = np.pad(x.reshape(p.h, p.w).astype("f8"), 1, constant_values=float(edge))
        return dict(o=0.25 * (y[:-2, 1:-1] + y[2:, 1:-1] + y[1:-1, :-2] + y[1:-1, 2:]))

    tile = hl.OpenCL(
        TILE, "k", global_size=lambda p, c: (-(-p.w // 8) * 8, -(-p.h // 8) * 8), local_size=lambda p, c: (8, 8)
    )


MUTANTS = [
    ("tile", "uninitialised", "the right edge of the tile is not loaded", "i < T + 2; i += T", "i < T + 1; i += T"),
    ("tile", "uninitialised", "the bottom edge is not loaded", "j < T + 2; j += T", "j < T + 1; j += T"),
    (
        "tile",
        "uninitialised",
        "values beyond the border are left as they are",
        "t[j][i] = a >= 0 && a < h && b >= 0 && b < w ? x[a * w + b] : edge;",
        "if (a >= 0 && a < h && b >= 0 && b < w) t[j][i] = x[a * w + b];",
    ),
    ("tile", "barrier", "no barrier", "        }\n    barrier(CLK_LOCAL_MEM_FENCE);", "        }"),
    ("tile", "scalar", "zero beyond the border", ": edge;", ": 0;"),
    ("tile", "bounds", "wraps at the left", "b >= 0 && b < w", "b < w"),
    ("tile", "bounds", "a row beyond", "a < h", "a <= h"),
    ("tile", "swap", "below twice", "t[ly][lx + 1] + t[ly + 2]", "t[ly + 2][lx + 1] + t[ly + 2]"),
    ("tile", "lost-tail", "the last column is not written", "if (gx < w &&", "if (gx < w - 1 &&"),
]
