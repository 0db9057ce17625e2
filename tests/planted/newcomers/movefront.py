"""Bytes of each row as places in a list, to whose front each is moved."""

import numpy as np

import hotloop as hl

A = """
__kernel void mtf(__global const uchar *x, __global uchar *o, const int rows, const int length) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    uchar list[256];
    for (int i = 0; i < 256; ++i) list[i] = i;
    for (int i = 0; i < length; ++i) {
        const uchar c = x[r * length + i];
        int at = 0;
        while (list[at] != c) ++at;
        o[r * length + i] = at;
        for (int j = at; j > 0; --j) list[j] = list[j - 1];
        list[0] = c;
    }
}
"""


@hl.kernel(
    problem=dict(rows=40, length=100),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.rows * p.length),
    awkward=lambda p: [dict(rows=1, length=1), dict(rows=7, length=300)],
)
class movefront:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 256, (p.rows, p.length), dtype="u1"),
            o=hl.empty((p.rows, p.length), "u1"),
            rows=p.rows,
            length=p.length,
        )

    def reference(p, x, o, rows, length):
        made = np.zeros((rows, length), "u1")
        for r in range(rows):
            line = list(range(256))
            for i, c in enumerate(x[r].tolist()):
                made[r, i] = line.index(c)
                line.remove(c)
                line.insert(0, c)
        return dict(o=made)

    a = hl.OpenCL(A, "mtf", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    (
        "a",
        "move",
        "exchanged with the first instead of moved",
        "for (int j = at; j > 0; --j) list[j] = list[j - 1];",
        "list[at] = list[0];",
    ),
    ("a", "start", "the list is not set up beyond 255", "i < 256; ++i) list[i] = i", "i < 255; ++i) list[i] = i"),
    ("a", "type", "signed bytes", "uchar list[256]", "char list[256]"),
    (
        "a",
        "skip",
        "the second of equal neighbours is not written",
        "o[r * length + i] = at;",
        "if (at || i == 0) o[r * length + i] = at;",
    ),
]
