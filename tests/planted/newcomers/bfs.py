"""A step of a breadth-first search by pulling: unvisited nodes look for a neighbour of the last level; -1 is unvisited."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const int *start, __global const int *to, __global const int *level, __global int *after, __global int *reached, const int n, const int now) {
    const int v = get_global_id(0);
    if (v >= n) return;
    int own = level[v];
    if (own < 0)
        for (int e = start[v]; e < start[v + 1]; ++e)
            if (level[to[e]] == now) { own = now + 1; atomic_inc(reached); break; }
    after[v] = own;
}
"""


@hl.kernel(
    problem=dict(n=900),
    work=lambda p: hl.Work(flops=0, bytes=40 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65)],
    domain=dict(start="fixed", to="indices", level="range", now="fixed"),
)
class bfs:
    def inputs(p, rng):
        degree = rng.integers(0, 9, p.n)
        start = np.concatenate([[0], degree.cumsum()]).astype("i4")
        return dict(
            start=start,
            to=rng.integers(0, p.n, max(int(start[-1]), 1), dtype="i4"),
            level=rng.choice(np.array([-1, -1, -1, 0, 1, 2], "i4"), p.n),
            after=hl.empty(p.n, "i4"),
            reached=np.zeros(1, "i4"),
            n=np.int32(p.n),
            now=np.int32(2),
        )

    def reference(p, start, to, level, after, reached, n, now):
        hit = np.zeros(p.n, bool)
        owner = np.repeat(np.arange(p.n), np.diff(start))
        np.logical_or.at(hit, owner, level[to[: len(owner)]] == now)
        new = hit & (level < 0)
        return dict(after=np.where(new, int(now) + 1, level), reached=reached + new.sum())

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "race", "counted without an atomic", "atomic_inc(reached);", "reached[0] += 1;"),
    ("plain", "case", "every edge is counted", "atomic_inc(reached); break; }", "atomic_inc(reached); }"),
    ("plain", "bounds", "the last edge is not followed", "e < start[v + 1]; ++e", "e < start[v + 1] - 1; ++e"),
    ("plain", "case", "visited ones are visited again", "if (own < 0)\n", "if (own != now)\n"),
    ("plain", "bounds", "any visited neighbour will do", "level[to[e]] == now", "level[to[e]] >= 0"),
]
