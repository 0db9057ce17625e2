import numpy as np

import hotloop as hl

SOURCE = """
__kernel void k(__global const float *w, __global const float *u, __global int *y, const int r, const int c) {
    const int i = get_global_id(0); if (i >= r) return; double s = 0; int at = c - 1; const double t = u[i];
    for (int j = 0; j < c; ++j) { s += w[i * c + j]; if (s > t) { at = j; break; } }
    y[i] = at;
}
"""


@hl.kernel(
    problem=dict(r=2048, c=256),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.r * p.c),
    awkward=lambda p: [dict(r=1, c=1), dict(r=61, c=7), dict(r=100, c=33)],
)
class drawp:
    def inputs(p, rng):
        w = rng.random((p.r, p.c)) + 0.1
        return dict(
            w=(w / w.sum(axis=1, keepdims=True)).astype("f4"),
            u=rng.random(p.r, "f4"),
            y=hl.empty(p.r, "i4"),
            r=np.int32(p.r),
            c=np.int32(p.c),
        )

    def reference(p, w, u, y, r, c):
        s = np.cumsum(w.astype("f8"), axis=1) > u.astype("f8")[:, None]
        return dict(y=np.where(s.any(axis=1), s.argmax(axis=1), p.c - 1).astype("i4"))

    opencl = hl.OpenCL(SOURCE, "k", global_size=lambda p, c: (-(-p.r // 64) * 64,), local_size=lambda p, c: (64,))
