"""Dropout with a hash of the place as its random number, scaled by what is kept."""

import numpy as np

import hotloop as hl

PLAIN = """
uint mix(uint v) { v ^= v >> 16; v *= 0x7feb352du; v ^= v >> 15; v *= 0x846ca68bu; v ^= v >> 16; return v; }
__kernel void k(__global const float *x, __global float *y, const int n, const uint seed, const float p) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float u = (mix((uint)i + seed) >> 8) * 0x1p-24f;
    y[i] = u < p ? 0.0f : x[i] / (1.0f - p);
}
"""


def mix(v):
    v = v.astype(np.uint32)
    v ^= v >> np.uint32(16)
    v *= np.uint32(0x7FEB352D)
    v ^= v >> np.uint32(15)
    v *= np.uint32(0x846CA68B)
    v ^= v >> np.uint32(16)
    return v


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=10 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=257)],
    tolerance=hl.Tolerance(terms=lambda p: 4),
    domain=dict(p="probabilities"),
)
class dropout:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal(p.n, "f4"),
            y=hl.empty(p.n),
            n=np.int32(p.n),
            seed=np.uint32(rng.integers(0, 2**32)),
            p=np.float32(0.25),
        )

    def reference(P, x, y, n, seed, p):
        with np.errstate(over="ignore"):
            u = (mix(np.arange(P.n, dtype=np.uint32) + np.uint32(seed)) >> np.uint32(8)) * 2.0**-24
        return dict(y=np.where(u < np.float32(p), 0.0, x.astype("f8") / (1.0 - np.float64(np.float32(p)))))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "dropped", "no scale", "x[i] / (1.0f - p)", "x[i]"),
    ("plain", "compare", "the other part is kept", "u < p ?", "u >= p ?"),
    ("plain", "dropped", "the seed is not used", "(uint)i + seed", "(uint)i"),
    ("plain", "dropped", "a quarter always", "u < p ? 0.0f", "u < 0.25f ? 0.0f"),
    ("plain", "signed", "a signed shift", "v ^= v >> 15;", "v ^= (int)v >> 15;"),
    ("plain", "precision", "12 bits of the hash", ">> 8) * 0x1p-24f", ">> 20) * 0x1p-12f"),
]
