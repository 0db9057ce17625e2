"""Depthwise 3 x 3 convolution of quantised images: padding is the zero point, results are scaled by channel, rounded half away from zero."""

import numpy as np

import hotloop as hl

A = """
__kernel void depthwise(__global const uchar *x, __global const char *w, __global const int *bias, __global const int *factor, __global const uchar *shift,
                        __global uchar *o, const int channels, const int height, const int width, const int zx, const int zo, const int stride) {
    const int ow = (width + stride - 1) / stride, oh = (height + stride - 1) / stride;
    const int c = get_global_id(0), i = get_global_id(1), j = get_global_id(2);
    if (c >= channels || i >= ow || j >= oh) return;
    int sum = bias[c];
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx) {
            const int y = j * stride + dy - 1, z = i * stride + dx - 1;
            const int v = y >= 0 && y < height && z >= 0 && z < width ? x[(y * width + z) * channels + c] : zx;
            sum += (v - zx) * w[(dy * 3 + dx) * channels + c];
        }
    const long product = (long)sum * factor[c];
    const long half_ = 1L << (shift[c] - 1);
    const long scaled = product >= 0 ? (product + half_) >> shift[c] : -((-product + half_) >> shift[c]);
    o[(j * ow + i) * channels + c] = clamp(scaled + zo, 0L, 255L);
}
"""


@hl.kernel(
    problem=dict(channels=20, height=17, width=23, stride=1),
    work=lambda p: hl.Work(flops=18 * p.channels * p.height * p.width, bytes=2 * p.channels * p.height * p.width),
    awkward=lambda p: [
        dict(channels=1, height=1, width=1, stride=1),
        dict(channels=3, height=8, width=5, stride=2),
        dict(channels=8, height=7, width=30, stride=2),
    ],
    domain=dict(stride="fixed", zx="range", zo="range", shift="range", factor="range", bias="range"),
)
class depthwise:
    def inputs(p, rng):
        s = p.stride
        return dict(
            x=rng.integers(0, 256, (p.height, p.width, p.channels)).astype("u1"), w=rng.integers(-127, 128, (3, 3, p.channels)).astype("i1"),
            bias=rng.integers(-2000, 2000, p.channels).astype("i4"), factor=rng.integers(2**30, 2**31, p.channels).astype("i4"),
            shift=rng.integers(38, 42, p.channels).astype("u1"), o=hl.empty((-(-p.height // s), -(-p.width // s), p.channels), "u1"),
            channels=p.channels, height=p.height, width=p.width, zx=int(rng.integers(100, 140)), zo=int(rng.integers(0, 256)), stride=s,
        )  # fmt: skip

    def reference(p, x, w, bias, factor, shift, o, channels, height, width, zx, zo, stride):
        wide = np.pad(x.astype("i8") - zx, ((1, 3), (1, 3), (0, 0)))
        oh, ow, _ = o.shape
        total = np.broadcast_to(bias.astype("i8"), (oh, ow, channels)).copy()
        for dy in range(3):
            for dx in range(3):
                total += wide[dy : dy + stride * oh : stride, dx : dx + stride * ow : stride] * w[dy, dx].astype("i8")
        product = total * factor.astype("i8")
        half = 1 << (shift.astype("i8") - 1)
        scaled = np.sign(product) * ((np.abs(product) + half) >> shift.astype("i8"))
        return dict(o=np.clip(scaled + zo, 0, 255))

    a = hl.OpenCL(
        A,
        "depthwise",
        global_size=lambda p, c: (-(-p.channels // 4) * 4, -(-p.width // p.stride), -(-p.height // p.stride)),
    )


MUTANTS = [
    ("a", "edge", "padding is nought, not the zero point", ": zx;", ": 0;"),
    ("a", "narrow", "the product in 32 bits", "(long)sum * factor[c]", "sum * factor[c]"),
    (
        "a",
        "rounding",
        "negative products are rounded up",
        "product >= 0 ? (product + half_) >> shift[c] : -((-product + half_) >> shift[c])",
        "(product + half_) >> shift[c]",
    ),
    ("a", "layout", "weights by channel first", "w[(dy * 3 + dx) * channels + c]", "w[c * 9 + dy * 3 + dx]"),
    (
        "a",
        "clamp",
        "results are clamped before the zero point is added",
        "clamp(scaled + zo, 0L, 255L)",
        "clamp(scaled, 0L, 255L) + zo",
    ),
    ("a", "sign", "weights as unsigned", "* w[(dy", "* (uchar)w[(dy"),
    (
        "a",
        "shape",
        "the output is as wide as the input over the stride",
        "(width + stride - 1) / stride, oh",
        "width / stride, oh",
    ),
]
