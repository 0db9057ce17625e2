"""The most likely path through a hidden Markov model, in integer log weights; of equal paths the lower state."""

import numpy as np

import hotloop as hl

PLAIN = """
#define S 8
__kernel void k(__global const int *emit, __global const int *move, __global uchar *back, __global uchar *path, __global int *score, const int rows, const int t) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int now[S], then[S];
    for (int s = 0; s < S; ++s) { now[s] = emit[r * t * S + s]; back[r * t * S + s] = 0; }
    for (int j = 1; j < t; ++j) {
        for (int s = 0; s < S; ++s) {
            int best = now[0] + move[s], from = 0;
            for (int q = 1; q < S; ++q) {
                const int v = now[q] + move[q * S + s];
                if (v > best) { best = v; from = q; }
            }
            then[s] = best + emit[(r * t + j) * S + s];
            back[(r * t + j) * S + s] = from;
        }
        for (int s = 0; s < S; ++s) now[s] = then[s];
    }
    int at = 0;
    for (int s = 1; s < S; ++s) if (now[s] > now[at]) at = s;
    score[r] = now[at];
    for (int j = t - 1; j >= 0; --j) {
        path[r * t + j] = at;
        if (j > 0) at = back[(r * t + j) * S + at];
    }
}
"""
GROUP = """
#define S 8
__attribute__((reqd_work_group_size(S, 1, 1)))
__kernel void k(__global const int *emit, __global const int *move, __global uchar *back, __global uchar *path, __global int *score, const int rows, const int t) {
    const int r = get_group_id(0), s = get_local_id(0);
    __local int now[S];
    now[s] = emit[r * t * S + s];
    back[r * t * S + s] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 1; j < t; ++j) {
        int best = now[0] + move[s], from = 0;
        for (int q = 1; q < S; ++q) {
            const int v = now[q] + move[q * S + s];
            if (v > best) { best = v; from = q; }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        now[s] = best + emit[(r * t + j) * S + s];
        back[(r * t + j) * S + s] = from;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    if (s == 0) {
        int at = 0;
        for (int q = 1; q < S; ++q) if (now[q] > now[at]) at = q;
        score[r] = now[at];
        for (int j = t - 1; j >= 0; --j) {
            path[r * t + j] = at;
            if (j > 0) at = back[(r * t + j) * S + at];
        }
    }
}
"""


@hl.kernel(
    problem=dict(rows=200, t=40),
    work=lambda p: hl.Work(flops=128 * p.rows * p.t, bytes=42 * p.rows * p.t),
    awkward=lambda p: [dict(rows=1, t=1), dict(rows=3, t=2), dict(rows=65, t=13)],
    domain=dict(emit="range", move="range"),
)
class viterbi:
    def inputs(p, rng):
        return dict(
            emit=rng.integers(-3000, 0, (p.rows, p.t, 8)).astype("i4"),
            move=rng.integers(-2000, 0, (8, 8)).astype("i4"),
            back=hl.empty((p.rows, p.t, 8), "u1"),
            path=hl.empty((p.rows, p.t), "u1"),
            score=hl.empty(p.rows, "i4"),
            rows=np.int32(p.rows),
            t=np.int32(p.t),
        )

    def reference(p, emit, move, back, path, score, rows, t):
        now, kept = emit[:, 0].astype("i8"), [np.zeros((p.rows, 8), "i8")]
        for j in range(1, p.t):
            ways = now[:, :, None] + move[None]
            kept.append(ways.argmax(1))
            now = ways.max(1) + emit[:, j]
        at = now.argmax(1)
        out, every = np.empty((p.rows, p.t), "i8"), np.arange(p.rows)
        for j in range(p.t - 1, -1, -1):
            out[:, j] = at
            if j:
                at = kept[j][every, at]
        return dict(back=np.stack(kept, 1), path=out, score=now.max(1))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.rows,))
    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (8 * p.rows,), local_size=lambda p, c: (8,))


MUTANTS = [
    ("plain", "order", "of equal ways the last", "if (v > best)", "if (v >= best)"),
    ("plain", "index", "moves are transposed", "now[q] + move[q * S + s]", "now[q] + move[s * S + q]"),
    ("plain", "ties", "of equal ends the last", "if (now[s] > now[at]) at = s;", "if (now[s] >= now[at]) at = s;"),
    ("plain", "lost-tail", "the first state of the path is the second's", "if (j > 0) at =", "if (j > 1) at ="),
    (
        "group",
        "barrier",
        "no barrier before scores are replaced",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n        now[s] = best",
        "        now[s] = best",
    ),
    (
        "group",
        "start",
        "ends start at zero",
        "int best = now[0] + move[s], from = 0;",
        "int best = max(now[0] + move[s], -100000), from = 0;",
    ),
]
