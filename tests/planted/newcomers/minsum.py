"""Check nodes of an LDPC decoder by normalised min-sum: to each neighbour the sign of the others' product and the least of their magnitudes."""

import numpy as np

import hotloop as hl

A = """
__kernel void check(__global const float *q, __global const int *start, __global float *r, const float scale, const int nodes) {
    const int c = get_global_id(0);
    if (c >= nodes) return;
    float least = INFINITY, second = INFINITY;
    int place = -1;
    bool minus = false;
    for (int e = start[c]; e < start[c + 1]; ++e) {
        const float m = fabs(q[e]);
        minus ^= q[e] < 0.0f;
        if (m < least) {
            second = least;
            least = m;
            place = e;
        } else if (m < second) second = m;
    }
    for (int e = start[c]; e < start[c + 1]; ++e) {
        const float m = scale * (e == place ? second : least);
        const bool own = minus ^ (q[e] < 0.0f);
        r[e] = own ? -m : m;
    }
}
"""


@hl.kernel(
    problem=dict(nodes=3000, most=9),
    work=lambda p: hl.Work(flops=0, bytes=40 * p.nodes),
    awkward=lambda p: [dict(nodes=1, most=2), dict(nodes=65, most=3), dict(nodes=130, most=40)],
    domain=dict(start="structure"),
)
class minsum:
    def inputs(p, rng):
        start = np.concatenate([[0], np.cumsum(rng.integers(2, p.most + 1, p.nodes))]).astype("i4")
        q = (4 * rng.standard_normal(start[-1])).astype("f4")
        return dict(q=q, start=start, r=hl.empty(int(start[-1])), scale=np.float32(0.75), nodes=p.nodes)

    def reference(p, q, start, r, scale, nodes):
        q, out = q.astype("f8"), np.zeros(len(q))
        for c in range(nodes):
            row = q[start[c] : start[c + 1]]
            for e in range(len(row)):
                rest = np.delete(row, e)
                out[start[c] + e] = float(scale) * np.abs(rest).min() * (-1) ** int((rest < 0).sum())
        return dict(r=out)

    a = hl.OpenCL(A, "check", global_size=lambda p, c: (p.nodes,))


MUTANTS = [
    (
        "a",
        "tie",
        "a second one that is equal is lost",
        "} else if (m < second) second = m;",
        "} else if (m < second && m != least) second = m;",
    ),
    ("a", "sign", "zero counts as negative", "minus ^= q[e] < 0.0f", "minus ^= q[e] <= 0.0f"),
    ("a", "order", "the old least does not become second", "            second = least;\n", ""),
    (
        "a",
        "scalar",
        "the second is not scaled",
        "scale * (e == place ? second : least)",
        "(e == place ? second : scale * least)",
    ),
    (
        "a",
        "tail",
        "the last neighbour gets nothing",
        "for (int e = start[c]; e < start[c + 1]; ++e) {\n        const float m = scale",
        "for (int e = start[c]; e < start[c + 1] - 1; ++e) {\n        const float m = scale",
    ),
]
