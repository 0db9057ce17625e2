"""Eight steps of Wolfram's rule 30 on rings of cells, 32 to a word."""

import numpy as np

import hotloop as hl

A = """
__kernel void r30(__global const uint *x, __global uint *y, const int words) {
    __local uint t[1024];
    const int l = get_local_id(0), r = get_group_id(0), all = get_local_size(0);
    for (int k = l; k < words; k += all) t[k] = x[r * words + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 0; s < 8; ++s) {
        const int from = (s & 1) * words, to = words - from;
        for (int k = l; k < words; k += all) {
            const uint me = t[from + k], left = me << 1 | t[from + (k + words - 1) % words] >> 31, right = me >> 1 | t[from + (k + 1) % words] << 31;
            t[to + k] = left ^ (me | right);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = l; k < words; k += all) y[r * words + k] = t[k];
}
"""


@hl.kernel(
    problem=dict(rows=40, words=70),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.rows * p.words),
    awkward=lambda p: [dict(rows=1, words=1), dict(rows=3, words=33), dict(rows=5, words=2)],
    domain=dict(words="fixed"),
)
class rule30:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 2**32, (p.rows, p.words), dtype="u4"), y=hl.empty((p.rows, p.words), "u4"), words=p.words
        )

    def reference(p, x, y, words):
        bits = np.unpackbits(x.view("u1").reshape(p.rows, -1), axis=1, bitorder="little")
        for _ in range(8):
            bits = np.roll(bits, 1, 1) ^ (bits | np.roll(bits, -1, 1))
        return dict(y=np.packbits(bits, axis=1, bitorder="little").view("u4"))

    a = hl.OpenCL(A, "r30", global_size=lambda p, c: (32 * p.rows,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier between steps",
        "(me | right);\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "(me | right);\n        }",
    ),
    (
        "a",
        "wrap",
        "the ring is open on the left",
        "t[from + (k + words - 1) % words] >> 31",
        "(k ? t[from + k - 1] >> 31 : 0)",
    ),
    (
        "a",
        "bounds",
        "the word behind the row is the right neighbour",
        "t[from + (k + 1) % words] << 31",
        "t[from + k + 1] << 31",
    ),
    ("a", "steps", "seven steps", "s < 8; ++s", "s < 7; ++s"),
    (
        "a",
        "barrier",
        "no barrier after loading",
        "x[r * words + k];\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "x[r * words + k];",
    ),
]
