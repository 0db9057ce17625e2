"""Windows of a feature map that is shifted around first, as vision transformers with shifted windows do it."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void windows(__global const float *x, __global float *o, const int h, const int w, const int c, const int side, const int shift) {
    const int k = get_global_id(0), px = get_global_id(1), b = get_global_id(2);
    if (k >= c || px >= h * w) return;
    const int area = side * side, window = px / area, in = px % area, across = w / side;
    const int y = (window / across * side + in / side + shift) % h, z = (window % across * side + in % side + shift) % w;
    o[((size_t)b * h * w + px) * c + k] = x[((size_t)(b * h + y) * w + z) * c + k];
}
"""


@hl.kernel(
    problem=dict(batch=2, down=4, across=5, side=7, c=24, shift=3),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.batch * p.down * p.across * p.side**2 * p.c),
    awkward=lambda p: [
        dict(batch=1, down=1, across=1, side=1, c=1, shift=0),
        dict(batch=3, down=2, across=3, side=4, c=5, shift=2),
        dict(batch=1, down=3, across=1, side=5, c=3, shift=4),
    ],
    domain=dict(shift="at most 6"),
)
class swin:
    def inputs(p, rng):
        h, w = p.down * p.side, p.across * p.side
        return dict(
            x=rng.standard_normal((p.batch, h, w, p.c), "f4"),
            o=hl.empty((p.batch * p.down * p.across, p.side * p.side, p.c)),
            h=np.int32(h),
            w=np.int32(w),
            c=np.int32(p.c),
            side=np.int32(p.side),
            shift=np.int32(p.shift),
        )

    def reference(p, x, o, h, w, c, side, shift):
        moved = np.roll(x, (-p.shift, -p.shift), (1, 2))
        parts = moved.reshape(p.batch, p.down, p.side, p.across, p.side, p.c).transpose(0, 1, 3, 2, 4, 5)
        return dict(o=parts.reshape(-1, p.side**2, p.c))

    plain = hl.OpenCL(SOURCE, "windows", global_size=lambda p, c: (p.c, p.down * p.across * p.side**2, p.batch))


MUTANTS = [
    ("plain", "index", "windows across by height", "across = w / side", "across = h / side"),
    ("plain", "scalar", "half a window is the shift", "in % side + shift) % w", "in % side + side / 2) % w"),
    (
        "plain",
        "boundary",
        "rows do not come around",
        "in / side + shift) % h",
        "in / side + shift < h ? window / across * side + in / side + shift : h - 1) % h",
    ),
    ("plain", "index", "images by width", "(b * h + y) * w", "(b * w + y) * w"),
    ("plain", "limit", "the last channel", "k >= c ||", "k >= c - (c > 16) ||"),
    ("plain", "sign", "shifted the other way", "in / side + shift) % h", "in / side + h - shift) % h"),
]
