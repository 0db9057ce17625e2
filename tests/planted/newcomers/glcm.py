"""How often grey levels stand beside one another in an image, both ways round, counted in local memory."""

import numpy as np

import hotloop as hl

A = """
__kernel void count(__global const uchar *x, __global uint *m, const int w, const int h, const int dx, const int dy) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= w || r >= h || c + dx >= w || r + dy >= h) return;
    const uint a = x[r * w + c] >> 4, b = x[(r + dy) * w + c + dx] >> 4;
    atomic_inc(&m[a * 16 + b]);
    atomic_inc(&m[b * 16 + a]);
}
"""
B = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void count(__global const uchar *x, __global uint *m, const int w, const int h, const int dx, const int dy) {
    const int l = get_local_id(0), r = get_group_id(0);
    __local uint t[256];
    for (int k = l; k < 256; k += 32) t[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (r + dy < h)
        for (int c = l; c + dx < w; c += 32) {
            const uint a = x[r * w + c] >> 4, b = x[(r + dy) * w + c + dx] >> 4;
            atomic_inc(&t[a * 16 + b]);
            atomic_inc(&t[b * 16 + a]);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < 256; k += 32) if (t[k]) atomic_add(&m[k], t[k]);
}
"""


@hl.kernel(
    problem=dict(w=120, h=90),
    work=lambda p: hl.Work(flops=0, bytes=p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=33, h=5), dict(w=70, h=17)],
)
class glcm:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.h, p.w), dtype="u1"),
            m=np.zeros((16, 16), "u4"),
            w=p.w,
            h=p.h,
            dx=int(rng.integers(0, 3)),
            dy=int(rng.integers(0, 3)),
        )

    def reference(p, x, m, w, h, dx, dy):
        q = x.astype("i8") >> 4
        a, b = q[: max(0, h - dy), : max(0, w - dx)], q[dy:, dx:]
        made = m.astype("i8")
        np.add.at(made, (a, b), 1)
        np.add.at(made, (b, a), 1)
        return dict(m=made)

    a = hl.OpenCL(A, "count", global_size=lambda p, c: (p.w, p.h))
    b = hl.OpenCL(B, "count", global_size=lambda p, c: (32 * p.h,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "edge", "the last column has a neighbour", "c + dx >= w", "c + dx > w"),
    ("a", "both", "one way only", "    atomic_inc(&m[b * 16 + a]);\n", ""),
    ("a", "atomic", "no atomic", "atomic_inc(&m[a * 16 + b]);", "m[a * 16 + b]++;"),
    ("b", "start", "counts are not cleared", "for (int k = l; k < 256; k += 32) t[k] = 0;", ""),
    ("b", "barrier", "no barrier before counts are added", "        }\n    barrier(CLK_LOCAL_MEM_FENCE);", "        }"),
    ("b", "barrier", "no barrier after clearing", "t[k] = 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", "t[k] = 0;"),
]
