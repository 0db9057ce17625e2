"""The best place to split sorted labels of two classes: the least weighted impurity (doubled and exact), the first of equals."""

import numpy as np

import hotloop as hl

A = """
__kernel void split(__global const uchar *label, __global const float *x, __global int *best, const int m, const int n) {
    const int row = get_global_id(0);
    if (row >= m) return;
    int ones = 0;
    for (int k = 0; k < n; ++k) ones += label[row * n + k];
    int left = 0, at = -1;
    double least = 1e300;
    for (int k = 1; k < n; ++k) {
        left += label[row * n + k - 1];
        if (x[row * n + k] == x[row * n + k - 1]) continue;
        const double right = ones - left;
        const double cost = (double)left * (k - left) / k + right * (n - k - right) / (n - k);
        if (cost < least) { least = cost; at = k; }
    }
    best[row] = at;
}
"""


def _split(label, x):
    ones, left, at, least, n = int(label.sum()), 0, -1, 1e300, len(label)
    for k in range(1, n):
        left += int(label[k - 1])
        if x[k] == x[k - 1]:
            continue
        right = float(ones - left)
        cost = float(left) * (k - left) / k + right * (n - k - right) / (n - k)
        if cost < least:
            least, at = cost, k
    return at


@hl.kernel(
    problem=dict(m=60, n=80),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.m * p.n),
    awkward=lambda p: [dict(m=1, n=1), dict(m=9, n=2), dict(m=5, n=33)],
    domain=dict(x="sorted"),
)
class ginisplit:
    def inputs(p, rng):
        x = np.sort(np.round(rng.standard_normal((p.m, p.n)) * 12), 1).astype("f4")
        label = (rng.random((p.m, p.n)) < 1 / (1 + np.exp(-x / 6))).astype("u1")
        return dict(label=label, x=x, best=hl.empty(p.m, "i4"), m=p.m, n=p.n)

    def reference(p, label, x, best, m, n):
        return dict(best=np.array([_split(*row) for row in zip(label, x, strict=True)]))

    a = hl.OpenCL(A, "split", global_size=lambda p, c: (p.m,))


MUTANTS = [
    ("a", "ties", "the last of equals", "cost < least", "cost <= least"),
    ("a", "ties", "splits between equal values", "if (x[row * n + k] == x[row * n + k - 1]) continue;", ""),
    ("a", "bounds", "the last split is lost", "k = 1; k < n", "k = 1; k < n - 1"),
    ("a", "index", "one label late", "label[row * n + k - 1];\n        if", "label[row * n + k];\n        if"),
    ("a", "operator", "weights are left out", "(double)left * (k - left) / k +", "(double)left * (k - left) / k / k +"),
    ("a", "type", "impurity in whole numbers", "(double)left * (k - left) / k +", "left * (k - left) / k +"),
]
