"""Local alignment with affine gaps (Smith-Waterman-Gotoh): the best score of every pair, a row at a time in private memory."""

import numpy as np

import hotloop as hl

PLAIN = """
#define M 24
__kernel void k(__global const uchar *a, __global const uchar *b, __global int *best, const int pairs, const int n, const int open, const int extend) {
    const int p = get_global_id(0);
    if (p >= pairs) return;
    int H[M + 1], F[M + 1], top = 0;
    for (int j = 0; j <= M; ++j) { H[j] = 0; F[j] = -10000; }
    for (int i = 0; i < n; ++i) {
        int diagonal = 0, left = 0, E = -10000;
        for (int j = 1; j <= M; ++j) {
            E = max(E - extend, left - open);
            F[j] = max(F[j] - extend, H[j] - open);
            int h = diagonal + (a[p * n + i] == b[p * M + j - 1] ? 3 : -2);
            h = max(max(h, 0), max(E, F[j]));
            diagonal = H[j];
            H[j] = left = h;
            top = max(top, h);
        }
    }
    best[p] = top;
}
"""


@hl.kernel(
    problem=dict(pairs=300, n=30, open=4, extend=1),
    work=lambda p: hl.Work(flops=8 * p.pairs * p.n * 24, bytes=p.pairs * (p.n + 28)),
    awkward=lambda p: [
        dict(pairs=1, n=1, open=4, extend=1),
        dict(pairs=65, n=17, open=3, extend=2),
        dict(pairs=3, n=70, open=2, extend=1),
    ],
    domain=dict(a="range", b="range", open="fixed", extend="fixed"),
)
class affine:
    def inputs(p, rng):
        a = rng.integers(0, 4, (p.pairs, p.n), dtype="u1")
        b = np.resize(a, (p.pairs, 24)) if p.n == 24 else rng.integers(0, 4, (p.pairs, 24), dtype="u1")
        k = min(p.n, 24)
        b[:, : k // 3] = a[:, : k // 3]
        b[:, k - k // 3 : k] = a[:, p.n - k // 3 :]
        return dict(
            a=a,
            b=b,
            best=hl.empty(p.pairs, "i4"),
            pairs=np.int32(p.pairs),
            n=np.int32(p.n),
            open=np.int32(p.open),
            extend=np.int32(p.extend),
        )

    def reference(p, a, b, best, pairs, n, open, extend):  # noqa: A002
        H, F, top = np.zeros((25, p.pairs), "i8"), np.full((25, p.pairs), -10000), np.zeros(p.pairs, "i8")
        for i in range(p.n):
            before, E = H.copy(), np.full(p.pairs, -10000)
            for j in range(1, 25):
                E = np.maximum(E - p.extend, H[j - 1] - p.open)
                F[j] = np.maximum(F[j] - p.extend, before[j] - p.open)
                match = before[j - 1] + np.where(a[:, i] == b[:, j - 1], 3, -2)
                H[j] = np.maximum.reduce([match, E, F[j], np.zeros(p.pairs, "i8")])
                top = np.maximum(top, H[j])
        return dict(best=top)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.pairs,))


MUTANTS = [
    ("plain", "scalar", "extending costs as much as opening", "F[j] - extend", "F[j] - open"),
    ("plain", "start", "global instead of local", "max(max(h, 0), max(E, F[j]))", "max(h, max(E, F[j]))"),
    (
        "plain",
        "order",
        "the diagonal is the new value",
        "diagonal = H[j];\n            H[j] = left = h;",
        "H[j] = left = h;\n            diagonal = H[j];",
    ),
    ("plain", "uninitialised", "F is not set at first", "H[j] = 0; F[j] = -10000;", "H[j] = 0;"),
    ("plain", "type", "scores in five bits", "top = max(top, h);", "top = max(top, h & 31);"),
    ("plain", "lost-tail", "the last letter of b", "j <= M; ++j) {\n", "j < M; ++j) {\n"),
    ("plain", "scalar", "opening is four", "E - extend, left - open", "E - extend, left - 4"),
]
