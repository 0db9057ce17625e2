"""Votes of edge pixels for lines: angle by distance, by atomics."""

import numpy as np

import hotloop as hl

VOTE = """
__kernel void k(__global const uchar *e, __global const float *cs, __global int *votes, const int h, const int w, const int angles, const int bins) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h || !e[y * w + x]) return;
    for (int t = 0; t < angles; ++t) {
        const int d = (int)floor(x * cs[2 * t] + y * cs[2 * t + 1] + 0.5f) + bins / 2;
        if (d >= 0 && d < bins) atomic_inc(&votes[t * bins + d]);
    }
}
"""


@hl.kernel(
    problem=dict(h=40, w=60, angles=16, bins=151),
    work=lambda p: hl.Work(flops=p.h * p.w * p.angles, bytes=p.h * p.w),
    awkward=lambda p: [
        dict(h=1, w=1, angles=1, bins=3),
        dict(h=17, w=9, angles=5, bins=21),
        dict(h=65, w=33, angles=3, bins=64),
    ],
)
class hough:
    def inputs(p, rng):
        a = np.arange(p.angles)
        cs = np.stack([np.array([4, 3, 0, -3, -4])[a % 5] / 4, np.array([0, 2, 4, 2, 0])[a % 5] / 4], 1).astype("f4")
        e = (rng.random((p.h, p.w)) < 0.2).astype("u1") * 255
        return dict(
            e=e,
            cs=cs,
            votes=np.zeros((p.angles, p.bins), "i4"),
            h=np.int32(p.h),
            w=np.int32(p.w),
            angles=np.int32(p.angles),
            bins=np.int32(p.bins),
        )

    def reference(p, e, cs, votes, h, w, angles, bins):
        out = votes.astype("i8").copy()
        y, x = np.nonzero(e)
        for t in range(p.angles):
            d = np.floor(x * cs[t, 0].astype("f8") + y * cs[t, 1].astype("f8") + 0.5).astype("i8") + p.bins // 2
            good = (d >= 0) & (d < p.bins)
            out[t] += np.bincount(d[good], minlength=p.bins)
        return dict(votes=out.astype("i4"))

    vote = hl.OpenCL(VOTE, "k", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    ("vote", "race", "votes without atomics", "atomic_inc(&votes[t * bins + d]);", "votes[t * bins + d]++;"),
    (
        "vote",
        "rounding",
        "towards zero",
        "(int)floor(x * cs[2 * t] + y * cs[2 * t + 1] + 0.5f)",
        "(int)(x * cs[2 * t] + y * cs[2 * t + 1] + 0.5f)",
    ),
    ("vote", "limit", "the last bin has none", "d < bins)", "d < bins - 1)"),
    ("vote", "value", "weak edges do not vote", "!e[y * w + x]", "e[y * w + x] < 128"),
    ("vote", "angle", "the last angle is left", "t < angles;", "t < angles - (angles > 8);"),
]
