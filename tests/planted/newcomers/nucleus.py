"""Top-p sampling: of sorted probabilities as many as reach p, one of them drawn by a uniform number."""

import numpy as np

import hotloop as hl

A = """
__kernel void pick(__global const float *prob, __global const float *u, __global int *token, __global int *kept, const int rows, const int cols, const float p) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    float sum = 0.0f;
    int k = 0;
    while (k < cols) { sum += prob[r * cols + k]; ++k; if (sum >= p) break; }
    kept[r] = k;
    const float aim = u[r] * sum;
    float run = 0.0f;
    int t = 0;
    for (; t < k - 1; ++t) { run += prob[r * cols + t]; if (run > aim) break; }
    token[r] = t;
}
"""


@hl.kernel(
    problem=dict(rows=200, cols=48),
    work=lambda p: hl.Work(flops=2 * p.rows * p.cols, bytes=4 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=33, cols=7), dict(rows=5, cols=130)],
    domain=dict(prob="fixed", u="range", p="fixed"),
)
class nucleus:
    def inputs(p, rng):
        w = -np.sort(-rng.integers(1, 1000, (p.rows, p.cols)), axis=1)
        scale = 2.0 ** -np.ceil(np.log2(w.sum(1)))
        return dict(
            prob=(w * scale[:, None]).astype("f4"),
            u=(rng.integers(0, 1024, p.rows) / 1024).astype("f4"),
            token=hl.empty(p.rows, "i4"),
            kept=hl.empty(p.rows, "i4"),
            rows=p.rows,
            cols=p.cols,
            p=np.float32(0.75),
        )

    def reference(q, prob, u, token, kept, rows, cols, p):
        total = np.cumsum(prob.astype("f8"), axis=1)
        reached = total >= p
        k = np.where(reached.any(1), reached.argmax(1) + 1, cols)
        aim = u.astype("f8") * total[np.arange(rows), k - 1]
        t = (total <= aim[:, None]).sum(1)
        return dict(token=np.minimum(t, k - 1), kept=k)

    a = hl.OpenCL(A, "pick", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "edge", "reaching p exactly is not enough", "if (sum >= p) break;", "if (sum > p) break;"),
    ("a", "edge", "the aim itself is taken", "if (run > aim) break;", "if (run >= aim) break;"),
    ("a", "scale", "the aim is not scaled", "u[r] * sum", "u[r]"),
    ("a", "scalar", "p is nine tenths", "if (sum >= p)", "if (sum >= 0.9f)"),
    ("a", "last", "the last kept one is never drawn", "t < k - 1; ++t", "t < k - 2; ++t"),
]
