"""Attention of one query per sequence over keys and values in pages."""

import numpy as np

import hotloop as hl

A = """
__kernel void decode(__global const float *q, __global const float *k, __global const float *v, __global const int *table,
                     __global const int *lengths, __global float *o, const int batch, const int most, const float scale) {
    const int b = get_global_id(0);
    if (b >= batch) return;
    float acc[16], top = -INFINITY, sum = 0.0f;
    for (int d = 0; d < 16; ++d) acc[d] = 0.0f;
    for (int t = 0; t < lengths[b]; ++t) {
        const int row = table[b * most + t / 4] * 4 + t % 4;
        float s = 0.0f;
        for (int d = 0; d < 16; ++d) s = fma(q[b * 16 + d], k[row * 16 + d], s);
        s *= scale;
        const float next = fmax(top, s), shrink = exp(top - next), w = exp(s - next);
        sum = sum * shrink + w;
        for (int d = 0; d < 16; ++d) acc[d] = acc[d] * shrink + w * v[row * 16 + d];
        top = next;
    }
    for (int d = 0; d < 16; ++d) o[b * 16 + d] = acc[d] / sum;
}
"""


@hl.kernel(
    problem=dict(batch=48, most=8),
    work=lambda p: hl.Work(flops=64 * p.batch * p.most * 4, bytes=128 * p.batch * p.most),
    awkward=lambda p: [dict(batch=1, most=1), dict(batch=7, most=3)],
    tolerance=hl.Tolerance(terms=64, absolute=2e-5),
    domain=dict(q="range", k="range", v="range"),
)
class paged:
    def inputs(p, rng):
        pages = p.batch * p.most
        return dict(
            q=rng.standard_normal((p.batch, 16), "f4"),
            k=rng.standard_normal((pages * 4, 16), "f4"),
            v=rng.standard_normal((pages * 4, 16), "f4"),
            table=rng.permutation(pages).astype("i4").reshape(p.batch, p.most),
            lengths=rng.integers(1, 4 * p.most + 1, p.batch, dtype="i4"),
            o=hl.empty((p.batch, 16)),
            batch=p.batch,
            most=p.most,
            scale=np.float32(0.25),
        )

    def reference(p, q, k, v, table, lengths, o, batch, most, scale):
        made = np.zeros((batch, 16))
        for b in range(batch):
            rows = (table[b][:, None] * 4 + np.arange(4)).ravel()[: lengths[b]]
            s = k[rows].astype("f8") @ q[b].astype("f8") * float(scale)
            w = np.exp(s - s.max())
            made[b] = w @ v[rows].astype("f8") / w.sum()
        return dict(o=made)

    a = hl.OpenCL(A, "decode", global_size=lambda p, c: (p.batch,))


MUTANTS = [
    (
        "a",
        "length",
        "the last key is left out where a page is full",
        "t < lengths[b]; ++t",
        "t < lengths[b] - (lengths[b] % 4 == 0); ++t",
    ),
    (
        "a",
        "table",
        "pages one after another",
        "table[b * most + t / 4] * 4",
        "(table[b * most] + t / 4) % (batch * most) * 4",
    ),
    ("a", "online", "the sum is not rescaled", "sum = sum * shrink + w", "sum = sum + w"),
    ("a", "scalar", "the scale is a quarter", "s *= scale", "s *= 0.25f"),
    ("a", "length", "all pages of a sequence", "t < lengths[b]; ++t", "t < (lengths[b] + 3) / 4 * 4; ++t"),
]
