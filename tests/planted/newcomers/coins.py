"""Ways to pay amounts with some coins, counted modulo a prime, for many sets of coins."""

import numpy as np

import hotloop as hl

A = """
#define MOD 1000000007u
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void pay(__global const int *coin, __global uint *ways, __global uint *room, const int kinds, const int most) {
    const int g = get_group_id(0), l = get_local_id(0);
    __global uint *w = room + g * (most + 1);
    for (int v = l; v <= most; v += 32) w[v] = v == 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int k = 0; k < kinds; ++k) {
        const int c = coin[g * kinds + k];
        for (int first = l; first < c; first += 32)
            for (int v = first + c; v <= most; v += c) w[v] = (w[v] + w[v - c]) % MOD;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (int v = l; v <= most; v += 32) ways[g * (most + 1) + v] = w[v];
}
"""


@hl.kernel(
    problem=dict(sets=20, kinds=9, most=300),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.sets * p.most),
    awkward=lambda p: [dict(sets=1, kinds=1, most=1), dict(sets=3, kinds=2, most=40), dict(sets=2, kinds=30, most=500)],
    domain=dict(coin="range", kinds="fixed", most="fixed"),
)
class coins:
    def inputs(p, rng):
        return dict(
            coin=rng.integers(1, 60, (p.sets, p.kinds), dtype="i4"),
            ways=hl.empty((p.sets, p.most + 1), "u4"),
            room=hl.empty((p.sets, p.most + 1), "u4"),
            kinds=p.kinds,
            most=p.most,
        )

    def reference(p, coin, ways, room, kinds, most):
        out = np.zeros((p.sets, p.most + 1), "i8")
        out[:, 0] = 1
        for s in range(p.sets):
            for c in coin[s]:
                for v in range(c, p.most + 1):
                    out[s, v] = (out[s, v] + out[s, v - c]) % 1000000007
        return dict(ways=out, room=out)

    a = hl.OpenCL(A, "pay", global_size=lambda p, c: (32 * p.sets,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "barrier", "no barrier between coins", "% MOD;\n        barrier(CLK_GLOBAL_MEM_FENCE);", "% MOD;"),
    ("a", "barrier", "no barrier after the start", "v == 0;\n    barrier(CLK_GLOBAL_MEM_FENCE);", "v == 0;"),
    (
        "a",
        "bounds",
        "the largest amount is left out",
        "for (int v = first + c; v <= most; v += c)",
        "for (int v = first + c; v < most; v += c)",
    ),
    (
        "a",
        "once",
        "each coin is used once at most",
        "for (int v = first + c; v <= most; v += c)",
        "for (int v = most - (most - first) % c; v > first; v -= c)",
    ),
    ("a", "mask", "only 32 remainders are met", "first < c; first += 32", "first < min(c, 32); first += 32"),
    ("a", "overflow", "the modulus is taken of the parts", "(w[v] + w[v - c]) % MOD", "w[v] + w[v - c]"),
    ("a", "start", "amounts that cannot be paid begin as one", "w[v] = v == 0;", "w[v] = 1;"),
    (
        "a",
        "stride",
        "coins of a set are read from the one before",
        "coin[g * kinds + k]",
        "coin[max(g - 1, 0) * kinds + k]",
    ),
    ("a", "bounds", "remainders up to the coin itself", "first < c; first += 32", "first <= c; first += 32"),
]
