"""Gradients of rows added to a table of embeddings, atomically; rows of the padding index are left out."""

import numpy as np

import hotloop as hl

A = """
void add(volatile __global float *p, float v) {
    volatile __global uint *q = (volatile __global uint *)p;
    uint old = *q, seen;
    do { seen = old; old = atomic_cmpxchg(q, seen, as_uint(as_float(seen) + v)); } while (old != seen);
}
__kernel void back(__global const int *index, __global const float *g, __global float *table, const int tokens, const int width, const int padding) {
    const int t = get_global_id(0), c = get_global_id(1);
    if (t >= tokens || c >= width || index[t] == padding) return;
    add(&table[index[t] * width + c], g[t * width + c]);
}
"""


@hl.kernel(
    problem=dict(tokens=600, width=24, words=50),
    work=lambda p: hl.Work(flops=p.tokens * p.width, bytes=8 * p.tokens * p.width),
    awkward=lambda p: [dict(tokens=1, width=1, words=1), dict(tokens=77, width=5, words=3)],
    tolerance=hl.Tolerance(terms=lambda p: p.tokens),
    linear=("g", "table"),
    domain=dict(index="range", padding="fixed"),
)
class embedback:
    def inputs(p, rng):
        return dict(
            index=rng.integers(0, p.words, p.tokens, dtype="i4"),
            g=rng.standard_normal((p.tokens, p.width), "f4"),
            table=rng.standard_normal((p.words, p.width), "f4"),
            tokens=p.tokens,
            width=p.width,
            padding=0,
        )

    def reference(p, index, g, table, tokens, width, padding):
        made = table.astype("f8")
        keep = index != padding
        np.add.at(made, index[keep], g[keep].astype("f8"))
        return dict(table=made)

    a = hl.OpenCL(A, "back", global_size=lambda p, c: (p.tokens, p.width))


MUTANTS = [
    (
        "a",
        "atomic",
        "no atomic",
        "add(&table[index[t] * width + c], g[t * width + c]);",
        "table[index[t] * width + c] += g[t * width + c];",
    ),
    ("a", "padding", "padding counts", " || index[t] == padding", ""),
    ("a", "retry", "no second try", "while (old != seen)", "while (0)"),
    (
        "a",
        "retry",
        "the old value is not read again",
        "do { seen = old; old = atomic_cmpxchg(q, seen, as_uint(as_float(seen) + v)); } while (old != seen);",
        "do { seen = old; old = atomic_cmpxchg(q, seen, as_uint(as_float(*q) + v)); } while (old != seen);",
    ),
    ("a", "stride", "rows of 24", "index[t] * width + c]", "index[t] * 24 + c]"),
]
