"""Channels moved into places: r times r channels become one, r times as wide and high."""

import hotloop as hl

A = """
__kernel void pixshuf(__global const float *x, __global float *y, const int chans, const int high, const int wide, const int r) {
    const int u = get_global_id(0), v = get_global_id(1), c = get_global_id(2);
    if (u >= wide * r || v >= high * r) return;
    const int from = c * r * r + v % r * r + u % r;
    y[(c * high * r + v) * wide * r + u] = x[(from * high + v / r) * wide + u / r];
}
"""


@hl.kernel(
    problem=dict(chans=3, high=20, wide=31, r=2),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.chans * p.high * p.wide * p.r * p.r),
    awkward=lambda p: [
        dict(chans=1, high=1, wide=1, r=1),
        dict(chans=2, high=3, wide=5, r=3),
        dict(chans=1, high=7, wide=2, r=4),
    ],
)
class pixshuf:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.chans * p.r * p.r, p.high, p.wide), "f4"),
            y=hl.empty((p.chans, p.high * p.r, p.wide * p.r)),
            chans=p.chans,
            high=p.high,
            wide=p.wide,
            r=p.r,
        )

    def reference(p, x, y, chans, high, wide, r):
        t = x.reshape(p.chans, p.r, p.r, p.high, p.wide).transpose(0, 3, 1, 4, 2)
        return dict(y=t.reshape(p.chans, p.high * p.r, p.wide * p.r).astype("f8"))

    a = hl.OpenCL(A, "pixshuf", global_size=lambda p, c: (p.wide * p.r, p.high * p.r, p.chans))


MUTANTS = [
    ("a", "swap", "rows and columns of the block", "v % r * r + u % r", "u % r * r + v % r"),
    ("a", "stride", "twice as wide whatever r is", "u / r];", "u / 2];"),
    ("a", "stride", "width and height", "(from * high + v / r) * wide", "(from * wide + v / r) * high"),
    ("a", "lost", "the last row", "v >= high * r)", "v >= high * r - 1)"),
    ("a", "shift", "by masks", "u % r;", "(u & (r - 1));"),
    (
        "a",
        "swap",
        "channels of the block outermost",
        "c * r * r + v % r * r + u % r",
        "(v % r * r + u % r) * chans + c",
    ),
]
