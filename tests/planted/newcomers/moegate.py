"""Tokens are given to their two best experts, weights by softmax, loads counted."""

import numpy as np

import hotloop as hl

A = """
__kernel void gate(__global const float *s, __global int *e, __global float *w, __global int *load, const int tokens, const int experts) {
    const int t = get_global_id(0);
    if (t >= tokens) return;
    __global const float *r = s + (long)t * experts;
    int a = -1, b = -1;
    float va = -INFINITY, vb = -INFINITY;
    for (int j = 0; j < experts; ++j) {
        const float v = r[j];
        if (a < 0 || v > va) { b = a; vb = va; a = j; va = v; }
        else if (b < 0 || v > vb) { b = j; vb = v; }
    }
    const float q = exp(vb - va), d = 1.0f + q;
    e[2 * t] = a;
    e[2 * t + 1] = b;
    w[2 * t] = 1.0f / d;
    w[2 * t + 1] = q / d;
    atomic_inc(&load[a]);
    atomic_inc(&load[b]);
}
"""
B = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void gate(__global const float *s, __global int *e, __global float *w, __global int *load, const int tokens, const int experts) {
    const int t = get_group_id(0), l = get_local_id(0);
    __local float best[32];
    __local int who[32];
    int first = -1;
    float top = 0.0f;
    for (int turn = 0; turn < 2; ++turn) {
        int at = 1 << 30;
        float v = -INFINITY;
        for (int j = l; j < experts; j += 32)
            if (j != first && (at == 1 << 30 || s[t * experts + j] > v)) { v = s[t * experts + j]; at = j; }
        best[l] = v;
        who[l] = at;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int h = 16; h > 0; h >>= 1) {
            if (l < h && (best[l + h] > best[l] || (best[l + h] == best[l] && who[l + h] < who[l]))) { best[l] = best[l + h]; who[l] = who[l + h]; }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (turn == 0) { first = who[0]; top = best[0]; }
        if (l == 0) {
            const int second = who[0];
            if (turn == 1) {
                const float q = exp(best[0] - top);
                e[2 * t] = first; e[2 * t + 1] = second;
                w[2 * t] = 1.0f / (1.0f + q); w[2 * t + 1] = q / (1.0f + q);
            }
            atomic_inc(&load[second]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(tokens=1024, experts=64),
    work=lambda p: hl.Work(flops=2 * p.tokens * p.experts, bytes=4 * p.tokens * p.experts),
    awkward=lambda p: [dict(tokens=1, experts=2), dict(tokens=37, experts=5), dict(tokens=130, experts=33)],
    tolerance=hl.Tolerance(terms=8),
)
class moegate:
    def inputs(p, rng):
        return dict(
            s=rng.standard_normal((p.tokens, p.experts), "f4"),
            e=hl.empty((p.tokens, 2), "i4"),
            w=hl.empty((p.tokens, 2)),
            load=np.zeros(p.experts, "i4"),
            tokens=p.tokens,
            experts=p.experts,
        )

    def reference(p, s, e, w, load, tokens, experts):
        order = np.argsort(-s.astype("f8"), axis=1, kind="stable")[:, :2]
        v = np.take_along_axis(s.astype("f8"), order, axis=1)
        q = np.exp(v - v[:, :1])
        return dict(e=order, w=q / q.sum(1, keepdims=True), load=load + np.bincount(order.ravel(), minlength=experts))

    a = hl.OpenCL(A, "gate", global_size=lambda p, c: (p.tokens,))
    b = hl.OpenCL(B, "gate", global_size=lambda p, c: (p.tokens * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "ties", "the last of equal scores", "v > va", "v >= va"),
    ("a", "order", "the old best is forgotten", "{ b = a; vb = va; a = j; va = v; }", "{ a = j; va = v; }"),
    ("a", "weights", "weights are not divided", "w[2 * t] = 1.0f / d", "w[2 * t] = 1.0f"),
    ("a", "atomic", "loads are added without an atomic", "atomic_inc(&load[b]);", "load[b]++;"),
    ("b", "barrier", "no barrier at the end of a turn", "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n}", "    }\n}"),
    (
        "b",
        "ties",
        "equal scores of two lanes: whoever is met first",
        "|| (best[l + h] == best[l] && who[l + h] < who[l])",
        "",
    ),
    (
        "b",
        "tail",
        "experts behind the last whole 32 are left out",
        "j < experts; j += 32",
        "j < (experts + 15) / 32 * 32 && j < experts; j += 32",
    ),
    (
        "b",
        "count",
        "only second experts are counted",
        "atomic_inc(&load[second]);",
        "if (turn == 1) atomic_inc(&load[second]);",
    ),
]
