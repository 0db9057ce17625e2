"""The next state of many Mersenne twisters, and the numbers that come of it."""

import numpy as np

import hotloop as hl

A = """
#define M 397
#define L 624
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void twist(__global uint *state, __global uint *out) {
    __local uint s[L];
    __local uint t[L];
    const int l = get_local_id(0), g = get_group_id(0);
    for (int i = l; i < L; i += 64) s[i] = state[g * L + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int from = 0; from < L; from += 227) {
        const int to = min(from + 227, L);
        for (int i = from + l; i < to; i += 64) {
            const uint next = i + 1 < L ? s[i + 1] : t[0];
            const uint y = (s[i] & 0x80000000u) | (next & 0x7fffffffu);
            const uint far = i + M < L ? s[i + M] : t[i + M - L];
            t[i] = far ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0u);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = l; i < L; i += 64) {
        uint y = t[i];
        state[g * L + i] = y;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        out[g * L + i] = y ^ (y >> 18);
    }
}
"""


@hl.kernel(
    problem=dict(streams=12),
    work=lambda p: hl.Work(flops=0, bytes=4 * 624 * p.streams),
    awkward=lambda p: [dict(streams=1), dict(streams=3)],
)
class mttwist:
    def inputs(p, rng):
        return dict(state=rng.integers(0, 2**32, (p.streams, 624), dtype="u4"), out=hl.empty((p.streams, 624), "u4"))

    def reference(p, state, out):
        s = state.astype("u8").copy()
        for i in range(624):
            y = (s[:, i] & 0x80000000) | (s[:, (i + 1) % 624] & 0x7FFFFFFF)
            s[:, i] = s[:, (i + 397) % 624] ^ (y >> 1) ^ np.where(y & 1, np.uint64(0x9908B0DF), np.uint64(0))
        y = s.copy()
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        y ^= y >> 18
        return dict(state=s, out=y)

    a = hl.OpenCL(A, "twist", global_size=lambda p, c: (64 * p.streams,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "bounds", "one number behind the state is read", "i + 1 < L ? s[i + 1] : t[0]", "s[i + 1]"),
    ("a", "stale", "the last one takes the old first number", "i + 1 < L ? s[i + 1] : t[0]", "s[(i + 1) % L]"),
    ("a", "barrier", "no barrier between stretches", "        }\n        barrier(CLK_LOCAL_MEM_FENCE);", "        }"),
    (
        "a",
        "bounds",
        "stretches are one too long",
        "from += 227) {\n        const int to = min(from + 227, L);",
        "from += 228) {\n        const int to = min(from + 228, L);",
    ),
    ("a", "stale", "far numbers are always old ones", ": t[i + M - L]", ": s[i + M - L]"),
    ("a", "mask", "one bit of the mask is another", "0xefc60000u", "0xefc40000u"),
    (
        "a",
        "bits",
        "the upper bit is the lower one's",
        "(s[i] & 0x80000000u) | (next & 0x7fffffffu)",
        "(s[i] & 0x80000000u) | next",
    ),
    (
        "a",
        "order",
        "the state is stored after tempering",
        "        state[g * L + i] = y;\n        y ^= y >> 11;",
        "        y ^= y >> 11;\n        state[g * L + i] = y;",
    ),
    (
        "a",
        "barrier",
        "no barrier after loading",
        "s[i] = state[g * L + i];\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "s[i] = state[g * L + i];",
    ),
]
