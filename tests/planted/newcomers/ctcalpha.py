"""Logarithms of the probability of label sequences (connectionist temporal classification): forward over blanks and labels, a group a sequence."""

import numpy as np

import hotloop as hl

A = """
#define S 33
float plus(float a, float b) {
    const float top = fmax(a, b), low = fmin(a, b);
    return top == -INFINITY ? top : top + log1p(exp(low - top));
}
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void ctc(__global const float *logp, __global const int *label, __global const int *length, __global float *score, const int steps,
         const int classes, const int most) {
    __local float row[2][S];
    const int b = get_group_id(0), s = get_local_id(0);
    const int states = 2 * length[b] + 1;
    const int own = s < states ? (s & 1 ? label[b * most + s / 2] : 0) : 0;
    const bool skips = (s & 1) && s > 1 && s < states && own != label[b * most + s / 2 - 1];
    __global const float *p = logp + (size_t)b * steps * classes;
    if (s < S) row[0][s] = s < 2 && s < states ? p[own] : -INFINITY;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 1; t < steps; ++t) {
        const int at = t & 1;
        if (s < S) {
            float sum = row[1 - at][s];
            if (s > 0) sum = plus(sum, row[1 - at][s - 1]);
            if (skips) sum = plus(sum, row[1 - at][s - 2]);
            row[at][s] = s < states ? sum + p[t * classes + own] : -INFINITY;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (s == 0) {
        const int at = (steps - 1) & 1;
        score[b] = states > 1 ? plus(row[at][states - 1], row[at][states - 2]) : row[at][0];
    }
}
"""


@hl.kernel(
    problem=dict(batch=40, steps=50, classes=20, most=16),
    work=lambda p: hl.Work(flops=10 * p.batch * p.steps * 33, bytes=4 * p.batch * p.steps * p.classes),
    awkward=lambda p: [
        dict(batch=1, steps=1, classes=2, most=1),
        dict(batch=3, steps=33, classes=3, most=7),
        dict(batch=5, steps=40, classes=30, most=16),
    ],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.steps),
    domain=dict(label="indices", most="at most 16", logp="range"),
)
class ctcalpha:
    def inputs(p, rng):
        raw = 2 * rng.standard_normal((p.batch, p.steps, p.classes))
        logp = raw - np.log(np.exp(raw).sum(-1, keepdims=True))
        return dict(
            logp=logp.astype("f4"),
            label=rng.integers(1, p.classes, (p.batch, p.most)).astype("i4"),
            length=rng.integers(0, p.most + 1, p.batch).astype("i4"),
            score=hl.empty(p.batch),
            steps=p.steps,
            classes=p.classes,
            most=p.most,
        )

    def reference(p, logp, label, length, score, steps, classes, most):
        wide, out = logp.astype("f8"), np.empty(p.batch)
        for b in range(p.batch):
            n = 2 * int(length[b]) + 1
            own = np.zeros(n, int)
            own[1::2] = label[b, : int(length[b])]
            skip = np.zeros(n, bool)
            skip[3::2] = own[3::2] != own[1:-2:2]
            row = np.full(n, -np.inf)
            row[:2] = wide[b, 0, own[:2]]
            for t in range(1, p.steps):
                one = np.concatenate([[-np.inf], row[:-1]])
                two = np.where(skip, np.concatenate([[-np.inf] * min(2, n), row[:-2]])[:n], -np.inf)
                row = np.logaddexp(np.logaddexp(row, one), two) + wide[b, t, own]
            out[b] = np.logaddexp(row[-1], row[-2]) if n > 1 else row[0]
        return dict(score=out)

    a = hl.OpenCL(A, "ctc", global_size=lambda p, c: (64 * p.batch,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "equal", "equal labels may be skipped to", " && own != label[b * most + s / 2 - 1]", ""),
    ("a", "inf", "two impossible states give NaN", "return top == -INFINITY ? top : top + log1p", "return top + log1p"),
    ("a", "barrier", "no barrier between steps", "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n", "        }\n"),
    (
        "a",
        "empty",
        "sequences without labels",
        "states > 1 ? plus(row[at][states - 1], row[at][states - 2]) : row[at][0]",
        "plus(row[at][states - 1], row[at][states - 2])",
    ),
    ("a", "start", "only the blank begins", "s < 2 && s < states", "s < 1 && s < states"),
    ("a", "parity", "the row before the last one", "(steps - 1) & 1;\n        score", "steps & 1;\n        score"),
    ("a", "bounds", "the first label may be skipped to", "(s & 1) && s > 1 && s < states", "(s & 1) && s < states"),
    (
        "a",
        "stride",
        "labels of other sequences",
        "(s & 1 ? label[b * most + s / 2] : 0)",
        "(s & 1 ? label[b * length[b] + s / 2] : 0)",
    ),
]
