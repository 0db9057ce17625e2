"""UTF-16 to code points: one for each unit, trail surrogates give zero, lone ones U+FFFD."""

import numpy as np

import hotloop as hl

A = """
__kernel void decode(__global const ushort *x, __global uint *o, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint u = x[i];
    uint c = u;
    if (u >= 0xd800 && u < 0xdc00) {
        const uint t = i + 1 < n ? x[i + 1] : 0;
        c = t >= 0xdc00 && t < 0xe000 ? 0x10000 + ((u - 0xd800) << 10) + (t - 0xdc00) : 0xfffd;
    } else if (u >= 0xdc00 && u < 0xe000) {
        const uint h = i > 0 ? x[i - 1] : 0;
        c = h >= 0xd800 && h < 0xdc00 ? 0 : 0xfffd;
    }
    o[i] = c;
}
"""


@hl.kernel(
    problem=dict(n=6000), work=lambda p: hl.Work(flops=0, bytes=6 * p.n), awkward=lambda p: [dict(n=1), dict(n=130)]
)
class surrogates:
    def inputs(p, rng):
        kind = rng.random(p.n)
        x = rng.integers(0, 65536, p.n)
        x = np.where(kind < 0.3, rng.integers(0xD800, 0xE000, p.n), x)
        return dict(x=x.astype("u2"), o=hl.empty(p.n, "u4"), n=p.n)

    def reference(p, x, o, n):
        u = x.astype("i8")
        lead, trail = (u >> 10) == 0x36, (u >> 10) == 0x37
        after, before = np.append(u[1:], 0), np.insert(u[:-1], 0, 0)
        pair = lead & (after >> 10 == 0x37)
        second = trail & (before >> 10 == 0x36)
        c = np.where(pair, 0x10000 + ((u & 1023) << 10) + (after & 1023), u)
        return dict(o=np.where(second, 0, np.where((lead & ~pair) | (trail & ~second), 0xFFFD, c)))

    a = hl.OpenCL(A, "decode", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "limit", "the last lead is no surrogate", "u >= 0xd800 && u < 0xdc00) {", "u >= 0xd800 && u < 0xdbff) {"),
    ("a", "bounds", "reads behind the end", "i + 1 < n ? x[i + 1] : 0", "x[i + 1]"),
    ("a", "limit", "the first unit behind the surrogates is one", "t < 0xe000 ?", "t <= 0xe000 ?"),
    ("a", "base", "the base is not added", "0x10000 + ((u", "((u"),
    ("a", "limit", "the first trail is lone", "} else if (u >= 0xdc00", "} else if (u > 0xdc00"),
]
