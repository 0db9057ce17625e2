"""xxHash of 32 bits over rows of bytes of any width, with a seed."""

import numpy as np

import hotloop as hl

A = """
#define P1 2654435761u
#define P2 2246822519u
#define P3 3266489917u
#define P4 668265263u
#define P5 374761393u
uint word(__global const uchar *d) { return d[0] | d[1] << 8 | d[2] << 16 | (uint)d[3] << 24; }
__kernel void hash(__global const uchar *d, __global uint *o, const int rows, const int width, const uint seed) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    __global const uchar *p = d + (long)r * width;
    int k = 0;
    uint h;
    if (width >= 16) {
        uint v[4] = {seed + P1 + P2, seed + P2, seed, seed - P1};
        for (; k + 16 <= width; k += 16)
            for (int j = 0; j < 4; ++j) v[j] = rotate(v[j] + word(d + (long)r * width + k + 4 * j) * P2, 13u) * P1;
        h = rotate(v[0], 1u) + rotate(v[1], 7u) + rotate(v[2], 12u) + rotate(v[3], 18u);
    } else h = seed + P5;
    h += width;
    for (; k + 4 <= width; k += 4) h = rotate(h + word(d + (long)r * width + k) * P3, 17u) * P4;
    for (; k < width; ++k) h = rotate(h + p[k] * P5, 11u) * P1;
    h ^= h >> 15; h *= P2; h ^= h >> 13; h *= P3; h ^= h >> 16;
    o[r] = h;
}
"""


@hl.kernel(
    problem=dict(rows=300, width=45),
    work=lambda p: hl.Work(flops=0, bytes=p.rows * p.width),
    awkward=lambda p: [dict(rows=1, width=1), dict(rows=9, width=16), dict(rows=33, width=7)],
)
class xxhash:
    def inputs(p, rng):
        return dict(
            d=rng.integers(0, 256, (p.rows, p.width), dtype="u1"),
            o=hl.empty(p.rows, "u4"),
            rows=p.rows,
            width=p.width,
            seed=np.uint32(7),
        )

    def reference(p, d, o, rows, width, seed):
        u = lambda x: np.asarray(x, "u8") & 0xFFFFFFFF
        turn = lambda x, n: u(u(x) << np.uint64(n) | u(x) >> np.uint64(32 - n))
        p1, p2, p3, p4, p5 = (np.uint64(k) for k in (2654435761, 2246822519, 3266489917, 668265263, 374761393))
        d, s, k = d.astype("u8"), np.uint64(seed), 0
        word = lambda k: (
            d[:, k] | d[:, k + 1] << np.uint64(8) | d[:, k + 2] << np.uint64(16) | d[:, k + 3] << np.uint64(24)
        )
        if width >= 16:
            start = (int(s) + int(p1) + int(p2), int(s) + int(p2), int(s), int(s) - int(p1))
            v = [np.full(rows, k % 2**32, "u8") for k in start]
            while k + 16 <= width:
                v = [u(turn(v[j] + u(word(k + 4 * j) * p2), 13) * p1) for j in range(4)]
                k += 16
            h = u(turn(v[0], 1) + turn(v[1], 7) + turn(v[2], 12) + turn(v[3], 18))
        else:
            h = np.full(rows, (int(s) + int(p5)) % 2**32, "u8")
        h = u(h + np.uint64(width))
        while k + 4 <= width:
            h = u(turn(h + u(word(k) * p3), 17) * p4)
            k += 4
        while k < width:
            h = u(turn(h + u(d[:, k] * p5), 11) * p1)
            k += 1
        h = u((h ^ h >> np.uint64(15)) * p2)
        h = u((h ^ h >> np.uint64(13)) * p3)
        return dict(o=(h ^ h >> np.uint64(16)).astype("u4"))

    a = hl.OpenCL(A, "hash", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "edge", "a width of sixteen is short", "if (width >= 16)", "if (width > 16)"),
    (
        "a",
        "type",
        "bytes are signed",
        "__global const uchar *p = d + (long)r * width;",
        "__global const char *p = (__global const char *)d + (long)r * width;",
    ),
    ("a", "tail", "the last byte is left out", "for (; k < width; ++k)", "for (; k < width - 1; ++k)"),
    ("a", "rotate", "a turn by twelve", "p[k] * P5, 11u", "p[k] * P5, 12u"),
    ("a", "seed", "the seed is left out of short rows", "else h = seed + P5;", "else h = P5;"),
]
