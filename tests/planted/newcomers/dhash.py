"""Difference hashes of pictures: means of 9 by 8 tiles, a bit where one is darker than the next."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(72, 1, 1)))
void dhash(__global const uchar *x, __global ulong *o, const int h, const int w) {
    __local uint sum[72];
    __local uint half_[2];
    const int l = get_local_id(0), g = get_group_id(0), ty = l / 9, tx = l % 9;
    if (l < 2) half_[l] = 0;
    uint s = 0;
    const int y0 = ty * h / 8, y1 = (ty + 1) * h / 8, x0 = tx * w / 9, x1 = (tx + 1) * w / 9;
    for (int y = y0; y < y1; ++y)
        for (int c = x0; c < x1; ++c) s += x[((size_t)g * h + y) * w + c];
    const uint area = (y1 - y0) * (x1 - x0);
    sum[l] = area ? s * 256u / area : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx < 8 && sum[l] < sum[l + 1]) {
        const int bit = 8 * ty + tx;
        atomic_or(&half_[bit >> 5], 1u << (bit & 31));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) o[g] = (ulong)half_[1] << 32 | half_[0];
}
"""


@hl.kernel(
    problem=dict(pictures=20, h=50, w=70),
    work=lambda p: hl.Work(flops=0, bytes=p.pictures * p.h * p.w),
    awkward=lambda p: [dict(pictures=1, h=8, w=9), dict(pictures=2, h=3, w=4), dict(pictures=3, h=33, w=200)],
    domain=dict(h="fixed", w="fixed"),
)
class dhash:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.pictures, p.h, p.w), dtype="u1"), o=hl.empty(p.pictures, "u8"), h=p.h, w=p.w
        )

    def reference(p, x, o, h, w):
        y, c = np.arange(9) * p.h // 8, np.arange(10) * p.w // 9
        out = np.zeros(p.pictures, "u8")
        for ty in range(8):
            means = []
            for tx in range(9):
                tile = x[:, y[ty] : y[ty + 1], c[tx] : c[tx + 1]].astype("i8")
                area = tile.shape[1] * tile.shape[2]
                means.append(tile.sum((1, 2)) * 256 // area if area else np.zeros(p.pictures, "i8"))
            for tx in range(8):
                out |= (means[tx] < means[tx + 1]).astype("u8") << np.uint64(8 * ty + tx)
        return dict(o=out)

    a = hl.OpenCL(A, "dhash", global_size=lambda p, c: (72 * p.pictures,), local_size=lambda p, c: (72,))


MUTANTS = [
    ("a", "uninitialised", "bits are not cleared", "    if (l < 2) half_[l] = 0;\n", ""),
    ("a", "uninitialised", "half of the bits is not cleared", "if (l < 2)", "if (l < 1)"),
    (
        "a",
        "atomic",
        "bits without an atomic",
        "atomic_or(&half_[bit >> 5], 1u << (bit & 31))",
        "half_[bit >> 5] |= 1u << (bit & 31)",
    ),
    ("a", "barrier", "no barrier before neighbours are compared", ": 0;\n    barrier(CLK_LOCAL_MEM_FENCE);", ": 0;"),
    ("a", "bounds", "the last column is compared with the next row", "tx < 8 && ", ""),
    ("a", "ties", "equal tiles count", "sum[l] < sum[l + 1]", "sum[l] <= sum[l + 1]"),
    ("a", "shift", "the upper half lies over the lower", "<< 32 |", "<< 31 |"),
    ("a", "narrow", "sums in 16 bits", "uint s = 0;", "ushort s = 0;"),
    ("a", "rounding", "tiles begin where they are rounded up", "x0 = tx * w / 9,", "x0 = (tx * w + 8) / 9,"),
]
