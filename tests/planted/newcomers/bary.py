"""Barycentric interpolation at points, which may be nodes."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void bary(__global const float *node, __global const float *w, __global const float *value, __global const float *at, __global float *o, const int m, const int n) {
    __local float top[32];
    __local float low[32];
    __local int hit;
    const int l = get_local_id(0), q = get_group_id(0);
    if (l == 0) hit = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    float a = 0.0f, b = 0.0f;
    for (int j = l; j < m; j += 32) {
        const float d = at[q] - node[j];
        if (d == 0.0f) hit = j;
        else {
            const float k = w[j] / d;
            a += k * value[j];
            b += k;
        }
    }
    top[l] = a;
    low[l] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 16; h > 0; h >>= 1) {
        if (l < h) { top[l] += top[l + h]; low[l] += low[l + h]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) o[q] = hit >= 0 ? value[hit] : top[0] / low[0];
}
"""


@hl.kernel(
    problem=dict(m=41, n=400),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(m=2, n=1), dict(m=33, n=3), dict(m=70, n=5)],
    tolerance=hl.Tolerance(terms=200),
    domain=dict(node="fixed", w="fixed", at="fixed", m="fixed"),
)
class bary:
    def inputs(p, rng):
        node = np.sort(np.cos(np.pi * np.arange(p.m) / (p.m - 1))).astype("f4")
        w = np.where(np.arange(p.m) % 2, -1.0, 1.0)
        w[[0, -1]] /= 2
        at = rng.uniform(-1, 1, p.n).astype("f4")
        at[::5] = rng.choice(node, at[::5].size)
        return dict(
            node=node, w=w.astype("f4"), value=rng.standard_normal(p.m, "f4"), at=at, o=hl.empty(p.n), m=p.m, n=p.n
        )

    def reference(p, node, w, value, at, o, m, n):
        d = at[:, None].astype("f8") - node
        with np.errstate(all="ignore"):
            k = w / d
            got = (k * value).sum(1) / k.sum(1)
        hit = d == 0
        return dict(o=np.where(hit.any(1), value[hit.argmax(1)], got))

    def magnitude(p, node, w, value, at, o, m, n):
        d = at[:, None].astype("f8") - node
        with np.errstate(all="ignore"):
            k = w / d
            got = (np.abs(k) * np.abs(value)).sum(1) / np.abs(k.sum(1)) + np.abs(k).sum(1) / np.abs(k.sum(1)) * np.abs(
                (k * value).sum(1) / k.sum(1)
            )
        return dict(o=np.where((d == 0).any(1), np.abs(value).max(), got))

    a = hl.OpenCL(A, "bary", global_size=lambda p, c: (32 * p.n,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "nan", "a node divides by zero", "if (d == 0.0f) hit = j;\n        else {", "{"),
    ("a", "uninitialised", "the mark of a node is not cleared", "    if (l == 0) hit = -1;\n", ""),
    ("a", "barrier", "no barrier after the mark", "hit = -1;\n    barrier(CLK_LOCAL_MEM_FENCE);", "hit = -1;"),
    (
        "a",
        "barrier",
        "no barrier in the tree",
        "low[l] += low[l + h]; }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "low[l] += low[l + h]; }",
    ),
    ("a", "sign", "distances the other way round in one sum", "a += k * value[j];", "a -= k * value[j];"),
    ("a", "bounds", "the node at zero is none", "hit >= 0", "hit > 0"),
    ("a", "lost-tail", "the last node", "j < m; j", "j < m - 1; j"),
    ("a", "weights", "the first weight is a whole one", "w[j] / d", "(j ? w[j] : 2.0f * w[j]) / d"),
    ("a", "precision", "a quotient by half", "top[0] / low[0]", "top[0] / (low[0] * 1.001f)"),
    ("a", "race", "nodes are looked for within 32 only", "if (d == 0.0f) hit = j;", "if (d == 0.0f) hit = l;"),
]
