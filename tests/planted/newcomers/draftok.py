"""How many drafted tokens of each row are accepted (a random number times the draft's probability is below the target's), and the sum of what is kept."""

import numpy as np

import hotloop as hl

A = """
__kernel void draftok(__global const float *target, __global const float *draft, __global const float *luck, __global const int *token,
                      __global int *accepted, __global float *mass, const int rows, const int steps, const int words) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    int count = 0;
    float sum = 0.0f;
    for (int s = 0; s < steps; ++s) {
        const size_t at = ((size_t)r * steps + s) * words + token[r * steps + s];
        const float p = target[at], q = draft[at];
        if (!(luck[r * steps + s] * q < p)) break;
        sum += fmin(1.0f, p / q);
        ++count;
    }
    accepted[r] = count;
    mass[r] = sum;
}
"""


@hl.kernel(
    problem=dict(rows=200, steps=6, words=50),
    work=lambda p: hl.Work(flops=4 * p.rows * p.steps, bytes=16 * p.rows * p.steps),
    awkward=lambda p: [
        dict(rows=1, steps=1, words=2),
        dict(rows=63, steps=3, words=7),
        dict(rows=65, steps=17, words=5),
    ],
    tolerance=hl.Tolerance(terms=lambda p: p.steps + 4),
    domain=dict(target="probabilities", draft="probabilities", token="indices", luck="range"),
)
class draftok:
    def inputs(p, rng):
        def rows():
            return rng.dirichlet(np.ones(p.words), (p.rows, p.steps)).astype("f4")

        draft, target = rows(), rows()
        target = np.where(rng.random((p.rows, p.steps, 1)) < 0.5, draft, target)
        return dict(
            target=target,
            draft=draft,
            luck=rng.random((p.rows, p.steps)).astype("f4"),
            token=rng.integers(0, p.words, (p.rows, p.steps)).astype("i4"),
            accepted=hl.empty(p.rows, "i4"),
            mass=hl.empty(p.rows),
            rows=p.rows,
            steps=p.steps,
            words=p.words,
        )

    def reference(p, target, draft, luck, token, accepted, mass, rows, steps, words):
        at = token[..., None].astype(int)
        t, d = np.take_along_axis(target, at, 2)[..., 0], np.take_along_axis(draft, at, 2)[..., 0]
        ok = np.cumprod(luck * d < t, axis=1).astype(bool)
        with np.errstate(all="ignore"):
            ratio = np.minimum(1.0, t.astype("f8") / d)
        return dict(accepted=ok.sum(1), mass=np.where(ok, ratio, 0.0).sum(1))

    a = hl.OpenCL(A, "draftok", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    ("a", "early", "later ones are taken after one was refused", "break;", "continue;"),
    ("a", "limit", "ratios above one", "fmin(1.0f, p / q)", "p / q"),
    ("a", "swap", "draft and target change places", "p = target[at], q = draft[at]", "p = draft[at], q = target[at]"),
    ("a", "stride", "tokens of the first step for all", "token[r * steps + s];\n", "token[r * steps];\n"),
    ("a", "lost", "the last step is left out", "s < steps; ++s", "s < steps - (steps > 1); ++s"),
    ("a", "scalar", "luck is not asked", "luck[r * steps + s] * q < p", "0.5f * q < p"),
    ("a", "index", "luck of the row's first", "luck[r * steps + s]", "luck[r + s]"),
]
