"""Energies of triangular filters on power spectra, in decibels above a floor: one frame a group, spectra in local memory."""

import numpy as np

import hotloop as hl

A = """
#define MOST 520
__kernel void mel(__global const float *power, __global const int *edge, __global float *o, const float least, const int bins, const int filters) {
    __local float row[MOST];
    const int f = get_group_id(0), t = get_local_id(0);
    for (int i = t; i < bins; i += get_local_size(0)) row[i] = power[f * bins + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = t; m < filters; m += get_local_size(0)) {
        const int a = edge[m], b = edge[m + 1], c = edge[m + 2];
        float sum = 0.0f;
        for (int i = a; i < b; ++i) sum += row[i] * (i - a) / (b - a);
        for (int i = b; i < c; ++i) sum += row[i] * (c - i) / (c - b);
        o[f * filters + m] = 10.0f * log10(fmax(sum, least));
    }
}
"""


@hl.kernel(
    problem=dict(frames=30, bins=257, filters=24),
    work=lambda p: hl.Work(flops=4 * p.frames * p.bins, bytes=4 * p.frames * p.bins),
    awkward=lambda p: [
        dict(frames=1, bins=9, filters=1),
        dict(frames=7, bins=129, filters=40),
        dict(frames=2, bins=513, filters=80),
    ],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-3),
    domain=dict(power="positive", edge="structure", least="range", bins="fixed", filters="fixed"),
)
class melbank:
    def inputs(p, rng):
        edge = np.sort(rng.integers(0, p.bins, p.filters + 2)).astype("i4")
        return dict(
            power=rng.exponential(1.0, (p.frames, p.bins)).astype("f4"), edge=edge, o=hl.empty((p.frames, p.filters)), least=np.float32(1e-3),
            bins=p.bins, filters=p.filters,
        )  # fmt: skip

    def reference(p, power, edge, o, least, bins, filters):
        w = np.zeros((filters, bins))
        for m in range(filters):
            a, b, c = edge[m : m + 3].astype(int)
            for i in range(a, b):
                w[m, i] = (i - a) / (b - a)
            for i in range(b, c):
                w[m, i] = (c - i) / (c - b)
        return dict(o=10 * np.log10(np.maximum(power.astype("f8") @ w.T, float(least))))

    a = hl.OpenCL(A, "mel", global_size=lambda p, c: (64 * p.frames,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "scalar", "the floor is added", "fmax(sum, least)", "sum + least"),
    ("a", "bounds", "the middle counts on both sides", "for (int i = a; i < b; ++i)", "for (int i = a; i <= b; ++i)"),
    ("a", "barrier", "no barrier after the spectrum", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("a", "precision", "slopes in whole numbers", "row[i] * (i - a) / (b - a)", "row[i] * ((i - a) / (b - a))"),
    (
        "a",
        "overrun",
        "the last bin is written one further",
        "i < bins; i += get_local_size(0)) row[i] = power[f * bins + i];",
        "i < bins; i += get_local_size(0)) row[i] = power[f * bins + i];\n    if (t == 0 && bins > 512) row[MOST + 3] = 0.0f;",
    ),
    ("a", "scalar", "natural logarithm", "log10(", "log("),
]
