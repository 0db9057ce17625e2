"""Squares that a rook attacks on a chess board with other pieces."""

import numpy as np

import hotloop as hl

A = """
__kernel void rk(__global const uchar *sq, __global const ulong *occ, __global ulong *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int s = sq[i], file = s & 7;
    const ulong all = occ[i];
    ulong seen = 0;
    for (int t = s + 8; t < 64; t += 8) { seen |= 1ul << t; if (all >> t & 1) break; }
    for (int t = s - 8; t >= 0; t -= 8) { seen |= 1ul << t; if (all >> t & 1) break; }
    for (int f = file + 1, t = s + 1; f < 8; ++f, ++t) { seen |= 1ul << t; if (all >> t & 1) break; }
    for (int f = file - 1, t = s - 1; f >= 0; --f, --t) { seen |= 1ul << t; if (all >> t & 1) break; }
    o[i] = seen;
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=256)],
    domain=dict(sq="range", occ="any"),
)
class rook:
    def inputs(p, rng):
        return dict(
            sq=rng.integers(0, 64, p.n, dtype="u1"),
            occ=rng.integers(0, 2**64, p.n, dtype="u8") & rng.integers(0, 2**64, p.n, dtype="u8"),
            o=hl.empty(p.n, "u8"),
            n=p.n,
        )

    def reference(p, sq, occ, o, n):
        out = np.zeros(p.n, "u8")
        for i, (s, all_) in enumerate(zip(sq.tolist(), occ.tolist(), strict=True)):
            seen = 0
            for dr, df in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                r, f = s // 8 + dr, s % 8 + df
                while 0 <= r < 8 and 0 <= f < 8:
                    seen |= 1 << (8 * r + f)
                    if all_ >> (8 * r + f) & 1:
                        break
                    r, f = r + dr, f + df
            out[i] = seen
        return dict(o=out)

    a = hl.OpenCL(A, "rk", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "limit", "square 56 and beyond are not seen from below", "t = s + 8; t < 64", "t = s + 8; t < 56"),
    ("a", "limit", "the first square is not seen", "t >= 0; t -= 8", "t > 0; t -= 8"),
    (
        "a",
        "shift",
        "shifted in 32 bits",
        "seen |= 1ul << t; if (all >> t & 1) break; }\n    for (int t = s - 8",
        "seen |= 1 << t; if (all >> t & 1) break; }\n    for (int t = s - 8",
    ),
    ("a", "wrap", "the last file goes on in the next row", "f < 8; ++f", "t < 64; ++f"),
    (
        "a",
        "order",
        "the piece in the way is not attacked",
        "seen |= 1ul << t; if (all >> t & 1) break; }\n    o[i]",
        "if (all >> t & 1) break; seen |= 1ul << t; }\n    o[i]",
    ),
    ("a", "uninitialised", "nothing seen is not set", "ulong seen = 0;", "ulong seen;"),
]
