"""Structural similarity of 8 × 8 blocks of two 8-bit images, with the usual constants; a group for each block."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void ssim(__global const uchar *a, __global const uchar *b, __global float *out, const int w, const int columns) {
    __local int s[5][64];
    const int x = get_local_id(0), y = get_local_id(1), l = y * 8 + x, block = get_group_id(1) * columns + get_group_id(0);
    const int at = (get_group_id(1) * 8 + y) * w + get_group_id(0) * 8 + x;
    const int p = a[at], q = b[at];
    s[0][l] = p;
    s[1][l] = q;
    s[2][l] = p * p;
    s[3][l] = q * q;
    s[4][l] = p * q;
    for (int h = 32; h > 0; h >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < h)
            for (int k = 0; k < 5; ++k) s[k][l] += s[k][l + h];
    }
    if (l == 0) {
        const float ma = s[0][0] / 64.0f, mb = s[1][0] / 64.0f;
        const float va = (64 * s[2][0] - s[0][0] * s[0][0]) / 4032.0f, vb = (64 * s[3][0] - s[1][0] * s[1][0]) / 4032.0f;
        const float cov = (64 * s[4][0] - s[0][0] * s[1][0]) / 4032.0f, c1 = 6.5025f, c2 = 58.5225f;
        out[block] = (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
    }
}
"""


@hl.kernel(
    problem=dict(rows=12, columns=15),
    work=lambda p: hl.Work(flops=900 * p.rows * p.columns, bytes=132 * p.rows * p.columns),
    awkward=lambda p: [dict(rows=1, columns=1), dict(rows=3, columns=2), dict(rows=1, columns=33)],
    tolerance=hl.Tolerance(terms=16, absolute=1e-6),
)
class ssim:
    def inputs(p, rng):
        a = rng.integers(0, 256, (8 * p.rows, 8 * p.columns))
        b = np.clip(a + rng.normal(0, 25, a.shape).round(), 0, 255)
        return dict(
            a=a.astype("u1"),
            b=b.astype("u1"),
            out=hl.empty((p.rows, p.columns)),
            w=np.int32(8 * p.columns),
            columns=np.int32(p.columns),
        )

    def reference(p, a, b, out, w, columns):
        def blocks(image):
            return image.reshape(p.rows, 8, p.columns, 8).swapaxes(1, 2).reshape(p.rows, p.columns, 64).astype("f8")

        u, v = blocks(a), blocks(b)
        mu, mv = u.mean(axis=2), v.mean(axis=2)
        su, sv = u.var(axis=2, ddof=1), v.var(axis=2, ddof=1)
        cov = ((u - mu[..., None]) * (v - mv[..., None])).sum(axis=2) / 63
        c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
        return dict(out=(2 * mu * mv + c1) * (2 * cov + c2) / ((mu**2 + mv**2 + c1) * (su + sv + c2)))

    grouped = hl.OpenCL(
        SOURCE, "ssim", global_size=lambda p, c: (8 * p.columns, 8 * p.rows), local_size=lambda p, c: (8, 8)
    )


MUTANTS = [
    ("grouped", "barrier", "no barrier in the sums", "        barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("grouped", "formula", "variances of the whole", "s[0][0] * s[0][0]) / 4032.0f", "s[0][0] * s[0][0]) / 4096.0f"),
    ("grouped", "type", "sums of squares in 16 bits", "__local int s[5][64];", "__local ushort s[5][64];"),
    ("grouped", "constant", "the second constant", "c2 = 58.5225f", "c2 = 58.0f"),
    (
        "grouped",
        "index",
        "blocks of another row",
        "block = get_group_id(1) * columns",
        "block = get_group_id(1) * get_num_groups(1)",
    ),
    ("grouped", "limit", "the first halving is left out", "int h = 32;", "int h = 16;"),
]
