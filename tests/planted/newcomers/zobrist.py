"""Zobrist's hashes of boards after a move with captures: groups of stones without a liberty beside the move are taken off."""

import numpy as np

import hotloop as hl

A = """
#define N 9
__kernel void hashes(__global const uchar *board, __global const int *move, __global const ulong *key, __global ulong *o, const int boards) {
    const int b = get_global_id(0);
    if (b >= boards) return;
    uchar cell[N * N], seen[N * N], stack[N * N];
    ulong h = 0;
    for (int i = 0; i < N * N; ++i) {
        cell[i] = board[b * N * N + i];
        seen[i] = 0;
    }
    const int at = move[b];
    if (cell[at] == 0) cell[at] = 1;
    const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    for (int k = 0; k < 4; ++k) {
        const int x = at % N + dx[k], y = at / N + dy[k];
        if (x < 0 || y < 0 || x >= N || y >= N || cell[y * N + x] != 2 || seen[y * N + x]) continue;
        int top = 0, low = 0, free_ = 0;
        stack[top++] = y * N + x;
        seen[y * N + x] = 1;
        while (low < top) {
            const int s = stack[low++];
            for (int j = 0; j < 4; ++j) {
                const int u = s % N + dx[j], v = s / N + dy[j];
                if (u < 0 || v < 0 || u >= N || v >= N) continue;
                const int t = v * N + u;
                if (cell[t] == 0) ++free_;
                else if (cell[t] == 2 && !seen[t]) {
                    seen[t] = 1;
                    stack[top++] = t;
                }
            }
        }
        if (!free_) for (int j = 0; j < top; ++j) cell[stack[j]] = 0;
    }
    for (int i = 0; i < N * N; ++i)
        if (cell[i]) h ^= key[(cell[i] - 1) * N * N + i];
    o[b] = h;
}
"""


@hl.kernel(
    problem=dict(boards=300),
    work=lambda p: hl.Work(flops=0, bytes=90 * p.boards),
    awkward=lambda p: [dict(boards=1), dict(boards=65)],
    domain=dict(board="range", move="range"),
)
class zobrist:
    def inputs(p, rng):
        return dict(
            board=rng.choice(3, (p.boards, 81), p=[0.2, 0.45, 0.35]).astype("u1"), move=rng.integers(0, 81, p.boards).astype("i4"),
            key=rng.integers(0, 2**64, (2, 81), dtype="u8"), o=hl.empty(p.boards, "u8"), boards=p.boards,
        )  # fmt: skip

    def reference(p, board, move, key, o, boards):
        out = np.zeros(boards, "u8")
        near = lambda s: [
            t for t, ok in ((s + 1, s % 9 < 8), (s - 1, s % 9 > 0), (s + 9, s < 72), (s - 9, s > 8)) if ok
        ]
        for b in range(boards):
            c, at = board[b].copy(), int(move[b])
            if c[at] == 0:
                c[at] = 1
            for first in near(at):
                if c[first] != 2:
                    continue
                group, work, free = {first}, [first], 0
                while work:
                    for t in near(work.pop()):
                        free += c[t] == 0
                        if c[t] == 2 and t not in group:
                            group.add(t)
                            work.append(t)
                if not free:
                    c[list(group)] = 0
            h = 0
            for i in np.flatnonzero(c):
                h ^= int(key[c[i] - 1, i])
            out[b] = h
        return dict(o=out)

    a = hl.OpenCL(A, "hashes", global_size=lambda p, c: (p.boards,))


MUTANTS = [
    ("a", "edge", "the row above and below wraps at the left edge", "if (u < 0 || v < 0 ||", "if (v < 0 ||"),
    (
        "a",
        "tail",
        "the last stone of a group stays",
        "for (int j = 0; j < top; ++j) cell[stack[j]] = 0",
        "for (int j = 0; j < top - 1; ++j) cell[stack[j]] = 0",
    ),
    ("a", "narrow", "hashes in 32 bits", "ulong h = 0;", "uint h = 0;"),
    ("a", "branch", "a stone stands there already", "if (cell[at] == 0) cell[at] = 1;", "cell[at] = 1;"),
    ("a", "uninitialised", "what was seen is not cleared", "        seen[i] = 0;\n", ""),
    ("a", "index", "keys of the other colour", "key[(cell[i] - 1) * N * N + i]", "key[(2 - cell[i]) * N * N + i]"),
]
