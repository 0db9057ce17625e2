"""Aho and Corasick: matches that end within each chunk of a text, by a table of states; chunks begin some letters earlier."""

import numpy as np

import hotloop as hl

A = """
__kernel void match(__global const uchar *text, __global const ushort *next, __global const uchar *ends, __global int *total, __global uint *hits,
                    const int chunk, const int longest, const int n) {
    const int g = get_global_id(0);
    const int from = g * chunk;
    if (from >= n) return;
    int state = 0, count = 0;
    for (int i = max(0, from - longest + 1); i < from; ++i) state = next[state * 4 + (text[i] & 3)];
    for (int i = from; i < min(n, from + chunk); ++i) {
        state = next[state * 4 + (text[i] & 3)];
        const int found = ends[state];
        if (found) {
            count += found;
            atomic_or(&hits[i >> 5], 1u << (i & 31));
        }
    }
    atomic_add(total, count);
}
"""


def _automaton(words):
    rows, ends, link = [[-1] * 4], [0], [0]
    for word in words:
        s = 0
        for c in word:
            if rows[s][c] < 0:
                rows.append([-1] * 4)
                ends.append(0)
                link.append(0)
                rows[s][c] = len(rows) - 1
            s = rows[s][c]
        ends[s] += 1
    queue = []
    for c in range(4):
        if rows[0][c] < 0:
            rows[0][c] = 0
        else:
            queue.append(rows[0][c])
    while queue:
        s = queue.pop(0)
        ends[s] += ends[link[s]]
        for c in range(4):
            t = rows[s][c]
            if t < 0:
                rows[s][c] = rows[link[s]][c]
            else:
                link[t] = rows[link[s]][c]
                queue.append(t)
    return np.array(rows, "u2"), np.array(ends, "u1")


@hl.kernel(
    problem=dict(n=5000, words=20, chunk=50),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.n),
    awkward=lambda p: [dict(n=1, words=1, chunk=7), dict(n=100, words=9, chunk=3), dict(n=777, words=40, chunk=64)],
    domain=dict(next="structure", ends="structure", chunk="fixed", words="fixed"),
)
class acmatch:
    def inputs(p, rng):
        words = [tuple(rng.integers(0, 4, rng.integers(2, 7)).tolist()) for _ in range(p.words)]
        rows, ends = _automaton(words)
        return dict(
            text=rng.integers(0, 256, p.n).astype("u1"), next=rows, ends=ends, total=np.zeros(1, "i4"), hits=np.zeros(-(-p.n // 32), "u4"),
            chunk=p.chunk, longest=max(map(len, words)), n=p.n,
        )  # fmt: skip

    def reference(p, text, next, ends, total, hits, chunk, longest, n):  # noqa: A002
        state, count, bits = 0, int(total[0]), hits.copy()
        for i in range(n):
            state = next[state, text[i] & 3]
            count += int(ends[state])
            if ends[state]:
                bits[i >> 5] |= np.uint32(1 << (i & 31))
        return dict(total=np.array([count]), hits=bits)

    a = hl.OpenCL(A, "match", global_size=lambda p, c: (-(-p.n // (32 * p.chunk)) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "atomic",
        "bits are set without an atomic",
        "atomic_or(&hits[i >> 5], 1u << (i & 31));",
        "hits[i >> 5] |= 1u << (i & 31);",
    ),
    ("a", "bounds", "chunks begin one letter too late", "from - longest + 1)", "from - longest + 2)"),
    ("a", "branch", "several words at a place count once", "count += found;", "count += 1;"),
    ("a", "narrow", "states in eight bits", "int state = 0, count = 0;", "int count = 0; uchar state = 0;"),
    (
        "a",
        "inout",
        "the total is overwritten",
        "atomic_add(total, count);",
        "if (g == 0) total[0] = 0; atomic_add(total, count);",
    ),
    (
        "a",
        "edge",
        "the first chunk has no letters before it, nor have others",
        "i < from; ++i) state =",
        "i < from && g == 0; ++i) state =",
    ),
    (
        "a",
        "mask",
        "letters are not masked",
        "for (int i = max(0, from - longest + 1); i < from; ++i) state = next[state * 4 + (text[i] & 3)]",
        "for (int i = max(0, from - longest + 1); i < from; ++i) state = next[state * 4 + text[i] % 3]",
    ),
]
