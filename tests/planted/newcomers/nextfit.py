"""Which bin each item of a row goes to when the first one that does not fit opens the next bin."""

import numpy as np

import hotloop as hl

A = """
__kernel void fit(__global const ushort *size, __global int *bin, __global int *bins, const int rows, const int n, const int room) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int b = 0, left = room;
    for (int i = 0; i < n; ++i) {
        const int s = size[r * n + i];
        if (s > room) { bin[r * n + i] = -1; continue; }
        if (s > left) { ++b; left = room; }
        left -= s;
        bin[r * n + i] = b;
    }
    bins[r] = b + (left < room);
}
"""


@hl.kernel(
    problem=dict(rows=100, n=90, room=1000),
    work=lambda p: hl.Work(flops=0, bytes=6 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1, room=5), dict(rows=3, n=33, room=60), dict(rows=40, n=7, room=40000)],
    domain=dict(room="fixed", size="range"),
)
class nextfit:
    def inputs(p, rng):
        size = rng.integers(0, p.room // 3 + 1, (p.rows, p.n))
        size[rng.random((p.rows, p.n)) < 0.1] = p.room
        size[rng.random((p.rows, p.n)) < 0.1] = p.room + 1
        return dict(
            size=size.astype("u2"),
            bin=hl.empty((p.rows, p.n), "i4"),
            bins=hl.empty(p.rows, "i4"),
            rows=p.rows,
            n=p.n,
            room=p.room,
        )

    def reference(p, size, bin, bins, rows, n, room):  # noqa: A002
        out, many = np.zeros((p.rows, p.n), "i8"), np.zeros(p.rows, "i8")
        for r in range(p.rows):
            b, left = 0, p.room
            for i in range(p.n):
                s = int(size[r, i])
                if s > p.room:
                    out[r, i] = -1
                    continue
                if s > left:
                    b, left = b + 1, p.room
                left -= s
                out[r, i] = b
            many[r] = b + (left < p.room)
        return dict(bin=out, bins=many)

    a = hl.OpenCL(A, "fit", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "bounds", "what fits exactly opens a bin", "if (s > left)", "if (s >= left)"),
    ("a", "bounds", "as large as the room is too large", "if (s > room)", "if (s >= room)"),
    ("a", "narrow", "what is left in 16 signed bits", "int b = 0, left = room;", "int b = 0; short left = room;"),
    ("a", "narrow", "bins in eight bits", "int b = 0, left = room;", "int left = room; uchar b = 0;"),
    ("a", "count", "an empty last bin counts", "b + (left < room)", "b + 1"),
    ("a", "state", "too large ones close a bin", "= -1; continue; }", "= -1; ++b; left = room; continue; }"),
    ("a", "sign", "sizes are signed", "const int s = size[r * n + i];", "const int s = (short)size[r * n + i];"),
    ("a", "state", "a new bin has what was left, too", "{ ++b; left = room; }", "{ ++b; left += room; }"),
    ("a", "unwritten", "too large ones are not marked", "{ bin[r * n + i] = -1; continue; }", "continue;"),
]
