"""Streams of xorshift128+: some steps of each stream's state, sums as output, uniform floats from the top bits."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global ulong2 *state, __global float *u, const int n, const int steps) {
    const int i = get_global_id(0);
    if (i >= n) return;
    ulong2 s = state[i];
    for (int k = 0; k < steps; ++k) {
        ulong a = s.x;
        const ulong b = s.y;
        u[k * n + i] = (float)((a + b) >> 40) * 5.9604644775390625e-8f;
        s.x = b;
        a ^= a << 23;
        s.y = a ^ b ^ (a >> 17) ^ (b >> 26);
    }
    state[i] = s;
}
"""


@hl.kernel(
    problem=dict(n=2001, steps=9),
    work=lambda p: hl.Work(flops=0, bytes=p.n * (32 + 4 * p.steps)),
    awkward=lambda p: [dict(n=1, steps=1), dict(n=65, steps=2), dict(n=300, steps=17)],
)
class xorplus:
    def inputs(p, rng):
        return dict(
            state=rng.integers(0, 2**64, (p.n, 2), dtype="u8"),
            u=hl.empty((p.steps, p.n)),
            n=np.int32(p.n),
            steps=np.int32(p.steps),
        )

    def reference(p, state, u, n, steps):
        a, b = state[:, 0].copy(), state[:, 1].copy()
        rows = []
        with np.errstate(over="ignore"):
            for _ in range(p.steps):
                rows.append(((a + b) >> np.uint64(40)).astype("f8") * 2.0**-24)
                t = a ^ (a << np.uint64(23))
                a, b = b, t ^ b ^ (t >> np.uint64(17)) ^ (b >> np.uint64(26))
        return dict(state=np.stack([a, b], 1), u=np.array(rows))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "shift", "an arithmetic shift", "(a >> 17)", "(ulong)((long)a >> 17)"),
    ("plain", "stale-output", "the state is not stored", "    state[i] = s;\n", ""),
    ("plain", "order", "the output of the new state", "(a + b) >> 40", "(a ^ b) >> 40"),
    (
        "plain",
        "type",
        "the sum in 32 bits",
        "(float)((a + b) >> 40)",
        "(float)((ulong)((uint)(a >> 32) + (uint)(b >> 32)) << 32 >> 40)",
    ),
]
