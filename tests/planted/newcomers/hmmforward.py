"""Forward probabilities of a hidden Markov model of sixteen states, scaled at each step; the logarithm of the whole."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void forward(__global const uchar *seen, __global const float *move, __global const float *emit, __global const float *start, __global float *like,
             const int steps) {
    __local float now[16], next[16];
    const int j = get_local_id(0), s = get_group_id(0);
    now[j] = start[j] * emit[j * 4 + seen[s * steps]];
    float whole = 0.0f;
    for (int t = 1; t <= steps; ++t) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0.0f;
        for (int k = 0; k < 16; ++k) sum += now[k];
        whole += log(sum);
        if (t == steps) break;
        float v = 0.0f;
        for (int k = 0; k < 16; ++k) v = fma(now[k], move[16 * k + j], v);
        next[j] = v * emit[j * 4 + seen[s * steps + t]] / sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        now[j] = next[j];
    }
    if (j == 0) like[s] = whole;
}
"""


@hl.kernel(
    problem=dict(seqs=60, steps=50),
    work=lambda p: hl.Work(flops=600 * p.seqs * p.steps, bytes=p.seqs * p.steps),
    awkward=lambda p: [dict(seqs=1, steps=1), dict(seqs=3, steps=2), dict(seqs=5, steps=33)],
    tolerance=hl.Tolerance(terms=lambda p: 20 * p.steps, absolute=1e-4),
)
class forward:
    def inputs(p, rng):
        def rows(*form):
            v = rng.random(form) + 0.05
            return (v / v.sum(-1, keepdims=True)).astype("f4")

        return dict(
            seen=rng.integers(0, 4, (p.seqs, p.steps), dtype="u1"),
            move=rows(16, 16),
            emit=rows(16, 4),
            start=rows(16),
            like=hl.empty(p.seqs),
            steps=p.steps,
        )

    def reference(p, seen, move, emit, start, like, steps):
        m, e = move.astype("f8"), emit.astype("f8")
        now = start.astype("f8") * e[:, seen[:, 0]].T
        whole = np.log(now.sum(1))
        for t in range(1, p.steps):
            now = (now / now.sum(1, keepdims=True)) @ m * e[:, seen[:, t]].T
            whole += np.log(now.sum(1))
        return dict(like=whole)

    a = hl.OpenCL(A, "forward", global_size=lambda p, c: (16 * p.seqs,), local_size=lambda p, c: (16,))


MUTANTS = [
    ("a", "swap", "moves are transposed", "move[16 * k + j]", "move[16 * j + k]"),
    ("a", "barrier", "none before the next is taken", "/ sum;\n        barrier(CLK_LOCAL_MEM_FENCE);", "/ sum;"),
    ("a", "barrier", "none at the beginning of a step", "++t) {\n        barrier(CLK_LOCAL_MEM_FENCE);", "++t) {"),
    ("a", "lost", "one state is not summed", "k < 16; ++k) sum", "k < 15; ++k) sum"),
    ("a", "lost", "not scaled", " / sum;", ";"),
    ("a", "swap", "what is seen a step early", "seen[s * steps + t]]", "seen[s * steps + t - 1]]"),
    ("a", "narrow", "logarithms of 2", "log(sum)", "log2(sum)"),
]
