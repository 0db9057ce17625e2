"""Bits scrambled by x^7 + x^4 + 1, each frame from its own state; then the state that is left."""

import numpy as np

import hotloop as hl

A = """
__kernel void scramble(__global const uchar *x, __global const uchar *state, __global uchar *y, __global uchar *left, const int frames, const int bytes) {
    const int f = get_global_id(0);
    if (f >= frames) return;
    uint s = state[f] & 127;
    for (int i = 0; i < bytes; ++i) {
        uint made = 0;
        for (int k = 0; k < 8; ++k) {
            const uint bit = (s >> 6 ^ s >> 3) & 1;
            s = (s << 1 | bit) & 127;
            made |= bit << k;
        }
        y[f * bytes + i] = x[f * bytes + i] ^ made;
    }
    left[f] = s;
}
"""


@hl.kernel(
    problem=dict(frames=60, length=50),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.frames * p.length),
    awkward=lambda p: [dict(frames=1, length=1), dict(frames=9, length=130)],
)
class scrambler:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.frames, p.length), dtype="u1"),
            state=rng.integers(0, 256, p.frames, dtype="u1"),
            y=hl.empty((p.frames, p.length), "u1"),
            left=hl.empty(p.frames, "u1"),
            frames=p.frames,
            length=p.length,
        )

    def reference(p, x, state, y, left, frames, length):
        s, made = state.astype("i8") & 127, np.zeros((frames, length), "i8")
        for i in range(length):
            for k in range(8):
                bit = (s >> 6 ^ s >> 3) & 1
                s = (s << 1 | bit) & 127
                made[:, i] |= bit << k
        return dict(y=x ^ made, left=s)

    a = hl.OpenCL(A, "scramble", global_size=lambda p, c: (p.frames,))


MUTANTS = [
    ("a", "taps", "another tap", "s >> 3)", "s >> 4)"),
    ("a", "mask", "the state left has eight bits", "s = (s << 1 | bit) & 127;", "s = (s << 1 | bit) & 255;"),
    ("a", "order", "bits from the top", "bit << k", "bit << (7 - k)"),
    ("a", "left", "the state at the start is left", "left[f] = s;", "left[f] = state[f] & 127;"),
]
