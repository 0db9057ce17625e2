"""Products of pairs of sparse vectors, both sorted by place."""

import numpy as np

import hotloop as hl

A = """
__kernel void sd(__global const int *oa, __global const int *ka, __global const int *va, __global const int *ob, __global const int *kb, __global const int *vb, __global long *o, const int n) {
    const int r = get_global_id(0);
    if (r >= n) return;
    int i = oa[r], j = ob[r];
    long s = 0;
    while (i < oa[r + 1] && j < ob[r + 1]) {
        const int a = ka[i], b = kb[j];
        if (a == b) s += (long)va[i] * vb[j];
        i += a <= b;
        j += b <= a;
    }
    o[r] = s;
}
"""


@hl.kernel(
    problem=dict(n=300, each=20),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n * p.each),
    awkward=lambda p: [dict(n=1, each=1), dict(n=5, each=3), dict(n=33, each=9)],
    domain=dict(oa="fixed", ob="fixed", ka="fixed", kb="fixed"),
)
class spdot:
    def inputs(p, rng):
        def side():
            counts = rng.integers(0, 2 * p.each, p.n)
            off = np.r_[0, np.cumsum(counts)].astype("i4")
            keys = np.concatenate(
                [np.sort(rng.choice(100000 if i % 2 else 4 * p.each, c, replace=False)) for i, c in enumerate(counts)]
                + [np.zeros(0, "i4")]
            )
            keys = np.r_[keys, 0].astype("i4")
            return off, keys, rng.integers(-(2**20), 2**20, len(keys), dtype="i4")

        oa, ka, va = side()
        ob, kb, vb = side()
        return dict(oa=oa, ka=ka, va=va, ob=ob, kb=kb, vb=vb, o=hl.empty(p.n, "i8"), n=p.n)

    def reference(p, oa, ka, va, ob, kb, vb, o, n):
        out = np.zeros(p.n, "i8")
        for r in range(p.n):
            a, b = slice(oa[r], oa[r + 1]), slice(ob[r], ob[r + 1])
            _, i, j = np.intersect1d(ka[a], kb[b], return_indices=True)
            out[r] = (va[a][i].astype("i8") * vb[b][j]).sum()
        return dict(o=out)

    a = hl.OpenCL(A, "sd", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "overflow", "products in 32 bits", "(long)va[i] * vb[j]", "va[i] * vb[j]"),
    (
        "a",
        "bounds",
        "goes on until both are at their ends",
        "i < oa[r + 1] && j < ob[r + 1]",
        "i < oa[r + 1] || j < ob[r + 1]",
    ),
    ("a", "narrow", "places compared in 16 bits", "a = ka[i], b = kb[j]", "a = (short)ka[i], b = (short)kb[j]"),
    ("a", "tail", "the last place of the second is not met", "&& j < ob[r + 1])", "&& j + 1 < ob[r + 1])"),
    ("a", "uninitialised", "the sum is not set", "long s = 0;", "long s;"),
    ("a", "empty", "rows without an element are not written", "o[r] = s;", "if (oa[r] < oa[r + 1]) o[r] = s;"),
]
