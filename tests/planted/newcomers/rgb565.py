"""Colours of eight bits a part to 5-6-5 bits, rounded to the nearest, blended over what was there by an alpha of eight bits."""

import numpy as np

import hotloop as hl

FLAT = """
__kernel void k(__global const uchar4 *c, __global ushort *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const ushort old = o[i];
    const uint a = c[i].w;
    const uint r = old >> 11, g = old >> 5 & 63u, b = old & 31u;
    const uint nr = (c[i].x * 31u + 127u) / 255u, ng = (c[i].y * 63u + 127u) / 255u, nb = (c[i].z * 31u + 127u) / 255u;
    const uint mr = (nr * a + r * (255u - a) + 127u) / 255u, mg = (ng * a + g * (255u - a) + 127u) / 255u, mb = (nb * a + b * (255u - a) + 127u) / 255u;
    o[i] = (ushort)(mr << 11 | mg << 5 | mb);
}
"""


@hl.kernel(
    problem=dict(n=9000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=101), dict(n=1000)],
)
class rgb565:
    def inputs(p, rng):
        return dict(
            c=rng.integers(0, 256, (p.n, 4)).astype("u1"), o=rng.integers(0, 65536, p.n).astype("u2"), n=np.int32(p.n)
        )

    def reference(p, c, o, n):
        w = c.astype("i8")
        old = o.astype("i8")
        parts = np.stack([old >> 11, old >> 5 & 63, old & 31], 1)
        most = np.array([31, 63, 31])
        new = (w[:, :3] * most + 127) // 255
        a = w[:, 3:]
        mixed = (new * a + parts * (255 - a) + 127) // 255
        return dict(o=(mixed[:, 0] << 11 | mixed[:, 1] << 5 | mixed[:, 2]).astype("u2"))

    flat = hl.OpenCL(FLAT, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("flat", "rounding", "red is cut off", "(c[i].x * 31u + 127u) / 255u", "c[i].x * 31u / 255u"),
    ("flat", "bits", "green by a shift", "(c[i].y * 63u + 127u) / 255u", "(uint)(c[i].y >> 2)"),
    (
        "flat",
        "alpha",
        "alpha of 256 parts",
        "(nb * a + b * (255u - a) + 127u) / 255u",
        "(nb * a + b * (256u - a) + 127u) >> 8",
    ),
    ("flat", "mask", "five bits of the old green", "old >> 5 & 63u", "old >> 5 & 31u"),
    ("flat", "stale", "faint colours are not stored", "o[i] = (ushort)", "if (a > 9u) o[i] = (ushort)"),
]
