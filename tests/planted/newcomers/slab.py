"""Rays against one box: where they enter it, infinity where they miss; rays along a side have quotients by zero."""

import numpy as np

import hotloop as hl

A = """
__kernel void slab(__global const float *from, __global const float *way, __global const float *box, __global float *hit, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    float enter = 0.0f, leave = INFINITY;
    for (int k = 0; k < 3; ++k) {
        const float o = from[3 * i + k], d = way[3 * i + k];
        if (d == 0.0f) {
            if (o < box[k] || o > box[3 + k]) leave = -1.0f;
            continue;
        }
        const float a = (box[k] - o) / d, b = (box[3 + k] - o) / d;
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    hit[i] = enter <= leave ? enter : INFINITY;
}
"""


@hl.kernel(
    problem=dict(n=8000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=28 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=500)],
    tolerance=hl.Tolerance(terms=4),
    domain=dict(box="fixed"),
)
class slab:
    def inputs(p, rng):
        way = rng.integers(-3, 4, (p.n, 3)).astype("f4")
        return {
            "from": (rng.integers(-16, 17, (p.n, 3)) / 4).astype("f4"),
            "way": way,
            "box": np.array([-1, -2, -1.5, 1, 0.5, 2], "f4"),
            "hit": hl.empty(p.n),
            "n": np.int32(p.n),
        }

    def reference(p, **given):
        o, d, box = given["from"].astype("f4"), given["way"].astype("f4"), given["box"].astype("f4")
        with np.errstate(all="ignore"):
            a, b = (box[:3] - o) / d, (box[3:] - o) / d
        still = d == 0
        near = np.where(still, -np.inf, np.minimum(a, b)).max(1)
        far = np.where(still, np.inf, np.maximum(a, b)).min(1)
        out = (still & ((o < box[:3]) | (o > box[3:]))).any(1)
        enter = np.maximum(near, 0)
        return dict(hit=np.where(~out & (enter <= far), enter, np.inf).astype("f8"))

    a = hl.OpenCL(A, "slab", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "tie", "a ray along a side misses", "o < box[k] ||", "o <= box[k] ||"),
    ("a", "tie", "a ray through a corner misses", "enter <= leave ?", "enter < leave ?"),
    ("a", "sign", "boxes behind are hit", "float enter = 0.0f", "float enter = -INFINITY"),
    ("a", "zero", "still axes are not looked at", "leave = -1.0f;", ";"),
    ("a", "swap", "the near plane is always the low one", "fmin(a, b));", "a);"),
    ("a", "lost", "two axes of three", "k < 3; ++k", "k < 2; ++k"),
]
