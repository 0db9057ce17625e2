"""Ternary weights, sixteen in a word of two bits each (0, 1, 2 for −1, 0, 1), times 8-bit activations, scaled by row."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void ternary(__global const uint *w, __global const char *x, __global const float *scale, __global float *y, const int rows, const int k,
                      const int batch) {
    const int r = get_global_id(0), b = get_global_id(1);
    if (r >= rows || b >= batch) return;
    const int words = (k + 15) / 16;
    int sum = 0;
    for (int i = 0; i < words; ++i) {
        const uint bits = w[r * words + i];
        const int count = min(16, k - 16 * i);
        for (int j = 0; j < count; ++j) sum += ((int)(bits >> (2 * j) & 3) - 1) * x[b * k + 16 * i + j];
    }
    y[b * rows + r] = sum * scale[r];
}
"""


@hl.kernel(
    problem=dict(rows=96, k=400, batch=8),
    work=lambda p: hl.Work(flops=2 * p.rows * p.k * p.batch, bytes=p.rows * p.k // 4 + p.batch * p.k),
    awkward=lambda p: [dict(rows=1, k=1, batch=1), dict(rows=5, k=17, batch=3), dict(rows=65, k=100, batch=2)],
)
class ternary:
    def inputs(p, rng):
        words = -(-p.k // 16)
        trits = rng.integers(0, 3, (p.rows, words, 16)).astype("u4")
        packed = (trits << (2 * np.arange(16, dtype="u4"))).sum(axis=2, dtype="u4")
        return dict(
            w=packed,
            x=rng.integers(-127, 128, (p.batch, p.k), dtype="i1"),
            scale=rng.uniform(0.001, 0.02, p.rows).astype("f4"),
            y=hl.empty((p.batch, p.rows)),
            rows=np.int32(p.rows),
            k=np.int32(p.k),
            batch=np.int32(p.batch),
        )

    def reference(p, w, x, scale, y, rows, k, batch):
        trits = (w[:, :, None] >> (2 * np.arange(16, dtype="u4")) & 3).reshape(p.rows, -1)[:, : p.k].astype("i8") - 1
        return dict(y=(x.astype("i8") @ trits.T) * scale.astype("f8"))

    plain = hl.OpenCL(SOURCE, "ternary", global_size=lambda p, c: (p.rows, p.batch))


MUTANTS = [
    ("plain", "type", "sums in 16 bits", "int sum = 0;", "short sum = 0;"),
    (
        "plain",
        "lost-tail",
        "the last partial word is lost",
        "words = (k + 15) / 16;\n    int sum = 0;\n    for (int i = 0; i < words; ++i)",
        "words = (k + 15) / 16;\n    int sum = 0;\n    for (int i = 0; i < max(k / 16, 1); ++i)",
    ),
    ("plain", "scalar", "the scale of the first row", "scale[r]", "scale[r & 63]"),
    ("plain", "boundary", "a tail of whole words reads on", "min(16, k - 16 * i)", "min(16, (k - 16 * i + 1) & ~1)"),
    (
        "plain",
        "offset",
        "the offset is added once a word",
        "for (int j = 0; j < count; ++j) sum",
        "for (int j = 0; j < count - (count == 16 && i == 7); ++j) sum",
    ),
    (
        "plain",
        "type",
        "activations without a sign",
        "* x[b * k + 16 * i + j]",
        "* (x[b * k + 16 * i + j] == -127 ? 127 : x[b * k + 16 * i + j])",
    ),
]
