"""A step of a chip's temperature by neighbours, power and the air; the border is its own neighbour."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *t, __global const float *q, __global float *o, const int h, const int w, const float air) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= w || r >= h) return;
    const int at = r * w + c;
    const float v = t[at];
    const float n = t[r == 0 ? at : at - w], s = t[r == h - 1 ? at : at + w], e = t[c == w - 1 ? at : at + 1], u = t[c == 0 ? at : at - 1];
    o[at] = v + 0.1f * (q[at] + (n + s - 2.0f * v) * 0.4f + (e + u - 2.0f * v) * 0.3f + (air - v) * 0.05f);
}
"""
TILE = """
__kernel void k(__global const float *t, __global const float *q, __global float *o, const int h, const int w, const float air) {
    __local float b[10][10];
    const int x = get_local_id(0), y = get_local_id(1), c = get_global_id(0), r = get_global_id(1);
    for (int i = y * 8 + x; i < 100; i += 64)
        b[i / 10][i % 10] = t[clamp((int)get_group_id(1) * 8 + i / 10 - 1, 0, h - 1) * w + clamp((int)get_group_id(0) * 8 + i % 10 - 1, 0, w - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c >= w || r >= h) return;
    const float v = b[y + 1][x + 1];
    o[r * w + c] = v + 0.1f * (q[r * w + c] + 0.4f * (b[y][x + 1] + b[y + 2][x + 1] - 2.0f * v) + 0.3f * (b[y + 1][x] + b[y + 1][x + 2] - 2.0f * v) + 0.05f * (air - v));
}
"""


@hl.kernel(
    problem=dict(h=60, w=70),
    work=lambda p: hl.Work(flops=15 * p.h * p.w, bytes=12 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=2, w=33), dict(h=17, w=8)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=1e-3),
)
class hotspot:
    def inputs(p, rng):
        t = (320 + 10 * rng.standard_normal((p.h, p.w))).astype("f4")
        return dict(
            t=t,
            q=rng.random((p.h, p.w), "f4"),
            o=hl.empty((p.h, p.w)),
            h=np.int32(p.h),
            w=np.int32(p.w),
            air=np.float32(80.0),
        )

    def reference(p, t, q, o, h, w, air):
        v = t.astype("f8")
        z = np.pad(v, 1, mode="edge")
        a = 0.4 * (z[:-2, 1:-1] + z[2:, 1:-1] - 2 * v) + 0.3 * (z[1:-1, :-2] + z[1:-1, 2:] - 2 * v)
        return dict(o=v + 0.1 * (q.astype("f8") + a + 0.05 * (float(air) - v)))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))
    tile = hl.OpenCL(
        TILE, "k", global_size=lambda p, c: (-(-p.w // 8) * 8, -(-p.h // 8) * 8), local_size=lambda p, c: (8, 8)
    )


MUTANTS = [
    ("plain", "scalar", "the air is written as a constant", "(air - v)", "(80.0f - v)"),
    ("plain", "border", "the lower border is read beyond", "r == h - 1 ? at : at + w", "at + w"),
    ("plain", "border", "the left border wraps round", "c == 0 ? at : at - 1", "c == 0 ? at + w - 1 : at - 1"),
    (
        "plain",
        "constant",
        "coefficients exchanged",
        "(n + s - 2.0f * v) * 0.4f + (e + u - 2.0f * v) * 0.3f",
        "(n + s - 2.0f * v) * 0.3f + (e + u - 2.0f * v) * 0.4f",
    ),
    ("plain", "term", "no power", "q[at] + (n", "0.0f + (n"),
    ("tile", "barrier", "no barrier after the tile is loaded", "];\n    barrier(CLK_LOCAL_MEM_FENCE);", "];"),
    ("tile", "lost-tail", "the rest of the tile is not loaded", "i < 100; i += 64", "i < 64; i += 64"),
    ("tile", "border", "the halo is not clamped", "- 1, 0, w - 1)];", "- 1, 0, w)];"),
    ("tile", "index", "rows and columns of the tile", "b[y + 1][x + 2]", "b[y + 2][x + 1]"),
]
