"""Latitude and longitude to 30 interleaved bits and six letters."""

import numpy as np

import hotloop as hl

LETTERS = "0123456789bcdefghjkmnpqrstuvwxyz"
A = """
__constant char LETTERS[33] = "0123456789bcdefghjkmnpqrstuvwxyz";
uint spread(uint v) { v = (v | v << 8) & 0x00ff00ff; v = (v | v << 4) & 0x0f0f0f0f; v = (v | v << 2) & 0x33333333; return (v | v << 1) & 0x55555555; }
__kernel void hash(__global const float *lat, __global const float *lon, __global uint *bits, __global char *text, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint a = min((uint)((lat[i] + 90.0f) / 180.0f * 32768.0f), 32767u), b = min((uint)((lon[i] + 180.0f) / 360.0f * 32768.0f), 32767u);
    const uint v = spread(b) << 1 | spread(a);
    bits[i] = v;
    for (int k = 0; k < 6; ++k) text[6 * i + k] = LETTERS[v >> (25 - 5 * k) & 31];
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=20 * p.n, bytes=18 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=131)],
    domain=dict(lat="range", lon="range"),
)
class geohash:
    def inputs(p, rng):
        cells = 32768
        return dict(
            lat=((rng.integers(0, cells, p.n) + 0.5) / cells * 180 - 90).astype("f4"),
            lon=((rng.integers(0, cells, p.n) + 0.5) / cells * 360 - 180).astype("f4"),
            bits=hl.empty(p.n, "u4"),
            text=hl.empty((p.n, 6), "i1"),
            n=p.n,
        )

    def reference(p, lat, lon, bits, text, n):
        a = np.minimum(((lat.astype("f8") + 90) / 180 * 32768).astype("i8"), 32767)
        b = np.minimum(((lon.astype("f8") + 180) / 360 * 32768).astype("i8"), 32767)
        v = np.zeros(n, "i8")
        for k in range(15):
            v |= (a >> k & 1) << 2 * k | (b >> k & 1) << 2 * k + 1
        letters = np.frombuffer(LETTERS.encode(), "i1")
        return dict(bits=v, text=letters[v[:, None] >> (25 - 5 * np.arange(6)) & 31])

    a = hl.OpenCL(A, "hash", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "order", "latitude first", "spread(b) << 1 | spread(a)", "spread(a) << 1 | spread(b)"),
    ("a", "mask", "a mask of one nibble less", "& 0x0f0f0f0f", "& 0x0f0f0f07"),
    (
        "a",
        "clip",
        "no clip of the last cell",
        "min((uint)((lat[i] + 90.0f) / 180.0f * 32768.0f), 32767u)",
        "(uint)((lat[i] + 90.0f) / 180.0f * 32768.0f)",
    ),
    ("a", "letters", "an a for a b", "0123456789bcdefghjkmnpqrstuvwxyz", "0123456789acdefghjkmnpqrstuvwxyz"),
]
