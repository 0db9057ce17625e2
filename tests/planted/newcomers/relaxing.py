"""A round of Bellman and Ford: distances over weighted edges, by atomic minima, and how many edges gave a better one."""

import numpy as np

import hotloop as hl

A = """
__kernel void relax(__global const int *from, __global const int *to, __global const int *w, __global const int *d,
                    __global int *next, __global int *better, const int edges) {
    const int e = get_global_id(0);
    if (e >= edges) return;
    const int start = d[from[e]];
    if (start == INT_MAX) return;
    const int long_way = start + w[e];
    atomic_min(&next[to[e]], long_way);
    if (long_way < d[to[e]]) atomic_inc(better);
}
"""


@hl.kernel(
    problem=dict(nodes=500, edges=6000),
    work=lambda p: hl.Work(flops=p.edges, bytes=12 * p.edges),
    awkward=lambda p: [dict(nodes=1, edges=1), dict(nodes=33, edges=97)],
)
class relaxing:
    def inputs(p, rng):
        d = rng.integers(0, 100000, p.nodes, dtype="i4")
        d[rng.random(p.nodes) < 0.3] = 2**31 - 1
        return {
            "from": rng.integers(0, p.nodes, p.edges, dtype="i4"),
            "to": rng.integers(0, p.nodes, p.edges, dtype="i4"),
            "w": rng.integers(-1000, 50000, p.edges, dtype="i4"),
            "d": d,
            "next": d.copy(),
            "better": np.zeros(1, "i4"),
            "edges": p.edges,
        }

    def reference(p, **a):
        d, w, start, to = a["d"].astype("i8"), a["w"].astype("i8"), a["from"], a["to"]
        there = d[start] != 2**31 - 1
        way = d[start] + w
        made = a["next"].astype("i8")
        np.minimum.at(made, to[there], way[there])
        return dict(next=made, better=a["better"] + (there & (way < d[to])).sum())

    a = hl.OpenCL(A, "relax", global_size=lambda p, c: (p.edges,))


MUTANTS = [
    ("a", "overflow", "unreached nodes are not left out", "if (start == INT_MAX) return;", ""),
    (
        "a",
        "atomic",
        "the minimum is no atomic",
        "atomic_min(&next[to[e]], long_way);",
        "if (long_way < next[to[e]]) next[to[e]] = long_way;",
    ),
    ("a", "ties", "equal ways are better", "long_way < d[to[e]]", "long_way <= d[to[e]]"),
    ("a", "sign", "negative weights do not count", "start + w[e]", "start + max(w[e], 0)"),
    (
        "a",
        "direction",
        "edges the other way round",
        "if (long_way < d[to[e]]) atomic_inc",
        "if (long_way < d[from[e]]) atomic_inc",
    ),
]
