"""The next smaller level of a texture of four bytes a texel: means of 2 x 2, rounded to nearest, halves up; odd sizes repeat their border."""

import numpy as np

import hotloop as hl

A = """
__kernel void mipmap(__global const uchar4 *in, __global uchar4 *out, const int w, const int h) {
    const int x = get_global_id(0), y = get_global_id(1);
    const int nw = max(1, (w + 1) / 2), nh = max(1, (h + 1) / 2);
    if (x >= nw || y >= nh) return;
    const int l = 2 * x, r = min(2 * x + 1, w - 1), t = 2 * y, b = min(2 * y + 1, h - 1);
    const uint4 sum = convert_uint4(in[t * w + l]) + convert_uint4(in[t * w + r]) + convert_uint4(in[b * w + l]) + convert_uint4(in[b * w + r]);
    out[y * nw + x] = convert_uchar4((sum + 2u) / 4u);
}
"""


@hl.kernel(
    problem=dict(w=101, h=60),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.w * p.h),
    awkward=lambda p: [dict(w=1, h=1), dict(w=2, h=7), dict(w=65, h=1)],
    domain=dict(image="any"),
)
class mipmap:
    def inputs(p, rng):
        return dict(
            image=rng.integers(0, 256, (p.h, p.w, 4)).astype("u1"),
            out=hl.empty(((p.h + 1) // 2, (p.w + 1) // 2, 4), "u1"),
            w=p.w,
            h=p.h,
        )

    def reference(p, image, out, w, h):
        big = np.pad(image.astype("i8"), ((0, h % 2), (0, w % 2), (0, 0)), mode="edge")
        return dict(out=(big[::2, ::2] + big[1::2, ::2] + big[::2, 1::2] + big[1::2, 1::2] + 2) // 4)

    a = hl.OpenCL(A, "mipmap", global_size=lambda p, c: ((p.w + 1) // 2, (p.h + 1) // 2))


MUTANTS = [
    ("a", "rounding", "rounded down", "(sum + 2u) / 4u", "sum / 4u"),
    (
        "a",
        "overflow",
        "sums in bytes",
        "convert_uchar4((sum + 2u) / 4u)",
        "convert_uchar4(((sum & 1023u) - (sum & 512u) + 2u) / 4u)",
    ),
    ("a", "border", "columns beyond the border are the next row's", "r = min(2 * x + 1, w - 1)", "r = 2 * x + 1"),
    ("a", "border", "rows beyond the border are the first one's", "b = min(2 * y + 1, h - 1)", "b = (2 * y + 1) % h"),
    ("a", "stride", "levels of odd sizes are narrower", "out[y * nw + x]", "out[y * max(1, w / 2) + x]"),
    (
        "a",
        "rounding",
        "means of means",
        "(sum + 2u) / 4u",
        "((convert_uint4(in[t * w + l]) + convert_uint4(in[t * w + r]) + 1u) / 2u + (convert_uint4(in[b * w + l]) + convert_uint4(in[b * w + r]) + 1u) / 2u + 1u) / 2u",
    ),
    ("a", "lost", "the last column is left out", "if (x >= nw ||", "if (x >= max(1, w / 2) ||"),
]
