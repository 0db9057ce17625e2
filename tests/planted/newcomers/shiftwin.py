"""Images of channels cut into windows after they were rolled by half a window (as shifted-window attention does): a copy of 16-bit words."""

import numpy as np

import hotloop as hl

A = """
__kernel void shiftwin(__global const ushort *x, __global ushort *y, const int h, const int w, const int c, const int win, const int shift,
                       const long total) {
    const long i = get_global_id(0);
    if (i >= total) return;
    const int ch = i % c;
    long rest = i / c;
    const int v = rest % win;
    rest /= win;
    const int u = rest % win;
    rest /= win;
    const int wide = w / win, tall = h / win;
    const int b = rest % wide;
    rest /= wide;
    const int a = rest % tall;
    const long image = rest / tall;
    const int row = (a * win + u + shift) % h, col = (b * win + v + shift) % w;
    y[i] = x[((image * h + row) * w + col) * c + ch];
}
"""


@hl.kernel(
    problem=dict(images=2, tall=4, wide=5, c=12, win=7),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.images * p.tall * p.wide * p.c * p.win * p.win),
    awkward=lambda p: [
        dict(images=1, tall=1, wide=1, c=1, win=1),
        dict(images=3, tall=2, wide=1, c=3, win=4),
        dict(images=1, tall=3, wide=2, c=33, win=2),
    ],
    domain=dict(x="any"),
)
class shiftwin:
    def inputs(p, rng):
        h, w = p.tall * p.win, p.wide * p.win
        return dict(
            x=rng.integers(0, 65536, (p.images, h, w, p.c)).astype("u2"),
            y=hl.empty((p.images, p.tall, p.wide, p.win, p.win, p.c), "u2"),
            h=np.int32(h),
            w=np.int32(w),
            c=p.c,
            win=p.win,
            shift=np.int32(p.win // 2),
            total=np.int64(p.images * h * w * p.c),
        )

    def reference(p, x, y, h, w, c, win, shift, total):
        rolled = np.roll(x, (-int(shift), -int(shift)), (1, 2)).reshape(p.images, p.tall, win, p.wide, win, c)
        return dict(y=rolled.transpose(0, 1, 3, 2, 4, 5))

    a = hl.OpenCL(A, "shiftwin", global_size=lambda p, c: (p.images * p.tall * p.wide * p.win * p.win * p.c,))


MUTANTS = [
    (
        "a",
        "wrap",
        "columns are not brought round",
        "col = (b * win + v + shift) % w;",
        "col = min(b * win + v + shift, w - 1);",
    ),
    ("a", "sign", "rolled the other way", "row = (a * win + u + shift) % h", "row = (a * win + u + h - shift) % h"),
    ("a", "scalar", "rolled by three", "v + shift) % w", "v + 3) % w"),
    (
        "a",
        "narrow",
        "numbers of elements in 16 bits",
        "const long i = get_global_id(0);\n    if (i >= total) return;",
        "if (get_global_id(0) >= total) return;\n    const long i = (ushort)get_global_id(0);",
    ),
    (
        "a",
        "swap",
        "rows of windows for columns",
        "const int wide = w / win, tall = h / win;",
        "const int wide = h / win, tall = w / win;",
    ),
    ("a", "narrow", "fifteen bits are copied", "y[i] = x[", "y[i] = 32767 & x["),
    ("a", "stride", "one image for all", "((image * h + row)", "((0 * h + row)"),
]
