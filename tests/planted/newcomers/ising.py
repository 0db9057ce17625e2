"""A half sweep of the Ising model: spins of one colour are turned by chance, drawn by a hash of place and seed."""

import numpy as np

import hotloop as hl

A = """
uint draw(uint a) { a ^= a >> 16; a *= 0x7feb352du; a ^= a >> 15; a *= 0x846ca68bu; return a ^ (a >> 16); }
__kernel void sweep(__global char *s, __global const uint *limit, const uint seed, const int colour, const int side) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= side || y >= side || ((x + y) & 1) != colour) return;
    const int l = (x + side - 1) % side, r = (x + 1) % side, u = (y + side - 1) % side, d = (y + 1) % side;
    const int around = s[y * side + l] + s[y * side + r] + s[u * side + x] + s[d * side + x];
    const int energy = s[y * side + x] * around;
    if (energy <= 0 || draw(seed ^ (uint)(y * side + x)) < limit[energy / 2]) s[y * side + x] = -s[y * side + x];
}
"""


@hl.kernel(
    problem=dict(side=128),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.side * p.side),
    awkward=lambda p: [dict(side=2), dict(side=34), dict(side=100)],
    domain=dict(side="multiple of 2", s="range", limit="fixed", colour="fixed"),
)
class ising:
    def inputs(p, rng):
        return dict(
            s=(2 * rng.integers(0, 2, (p.side, p.side)) - 1).astype("i1"),
            limit=(np.exp(-np.array([0.0, 2, 4]) * 0.8) * 2**32 - 1).clip(0, 2**32 - 1).astype("u4"),
            seed=np.uint32(rng.integers(0, 2**32)),
            colour=int(rng.integers(0, 2)),
            side=p.side,
        )

    def reference(p, s, limit, seed, colour, side):
        wide = s.astype("i4")
        around = sum(np.roll(wide, by, axis) for by in (-1, 1) for axis in (0, 1))
        energy = wide * around
        a = (np.uint32(seed) ^ np.arange(side * side, dtype="u4")).reshape(side, side)
        a = a ^ a >> np.uint32(16)
        a = a * np.uint32(0x7FEB352D)
        a = a ^ a >> np.uint32(15)
        a = a * np.uint32(0x846CA68B)
        a = a ^ a >> np.uint32(16)
        turns = (energy <= 0) | (a < limit[np.maximum(energy, 0) // 2])
        y, x = np.indices((side, side))
        return dict(s=np.where(turns & ((x + y) % 2 == colour), -wide, wide))

    a = hl.OpenCL(A, "sweep", global_size=lambda p, c: (p.side, p.side))


MUTANTS = [
    ("a", "race", "both colours at once", "|| ((x + y) & 1) != colour", ""),
    ("a", "torus", "the left border is a wall", "(x + side - 1) % side", "max(x - 1, 0)"),
    ("a", "seed", "the seed counts half", "draw(seed ^", "draw((seed & 0xffff) ^"),
    (
        "a",
        "signed",
        "chance is compared as signed numbers",
        "< limit[energy / 2]",
        "< 0u + limit[energy / 2] && (int)draw(seed ^ (uint)(y * side + x)) < (int)limit[energy / 2]",
    ),
]
