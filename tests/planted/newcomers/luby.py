"""A round of an independent set: an undecided vertex joins if its priority is above all undecided neighbours'; equal ones by number."""

import numpy as np

import hotloop as hl

SOURCE = """
__kernel void choose(__global const int *start, __global const int *edge, __global const uint *priority, __global const uchar *state,
                     __global uchar *next, const int n) {
    const int v = get_global_id(0);
    if (v >= n) return;
    uchar s = state[v];
    if (s == 0) {
        int joins = 1;
        for (int e = start[v]; e < start[v + 1]; ++e) {
            const int u = edge[e];
            if (u == v) continue;
            if (state[u] == 1) { s = 2; joins = 0; break; }
            if (state[u] == 0 && (priority[u] > priority[v] || (priority[u] == priority[v] && u > v))) joins = 0;
        }
        if (joins) s = 1;
    }
    next[v] = s;
}
"""


@hl.kernel(
    problem=dict(n=2000, edges=6000),
    work=lambda p: hl.Work(flops=4 * p.edges, bytes=12 * p.edges + 12 * p.n),
    awkward=lambda p: [dict(n=1, edges=1), dict(n=33, edges=40), dict(n=200, edges=90)],
    domain=dict(start="fixed", edge="fixed", state="range"),
)
class luby:
    def inputs(p, rng):
        pairs = rng.integers(0, p.n, (p.edges, 2))
        both = np.concatenate([pairs, pairs[:, ::-1]])
        both = both[np.lexsort((both[:, 1], both[:, 0]))]
        start = np.searchsorted(both[:, 0], np.arange(p.n + 1))
        state = rng.choice(3, p.n, p=[0.8, 0.05, 0.15])
        return dict(
            start=start.astype("i4"),
            edge=both[:, 1].astype("i4"),
            priority=rng.integers(0, 1 << 32, p.n, dtype="u4") >> 26,
            state=state.astype("u1"),
            after=hl.empty(p.n, "u1"),
            n=np.int32(p.n),
        )

    def reference(p, start, edge, priority, state, after, n):
        out = state.copy()
        for v in np.flatnonzero(state == 0):
            near = [int(u) for u in edge[start[v] : start[v + 1]] if u != v]
            if any(state[u] == 1 for u in near):
                out[v] = 2
            elif all((int(priority[u]), u) < (int(priority[v]), v) for u in near if state[u] == 0):
                out[v] = 1
        return dict(after=out)

    plain = hl.OpenCL(SOURCE, "choose", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("plain", "tie", "equal priorities keep both out", "&& u > v)", "&& u != v)"),
    (
        "plain",
        "type",
        "priorities with a sign",
        "priority[u] > priority[v] ||",
        "(int)priority[u] > (int)priority[v] ||",
    ),
    ("plain", "branch", "a loop keeps a vertex out", "if (u == v) continue;", "if (u == v) { joins = 0; continue; }"),
    (
        "plain",
        "branch",
        "decided neighbours still compete",
        "if (state[u] == 0 && (priority",
        "if (state[u] != 1 && (priority",
    ),
    (
        "plain",
        "lost-tail",
        "the last neighbour is not looked at",
        "e < start[v + 1]; ++e",
        "e < start[v + 1] - (start[v + 1] - start[v] > 8); ++e",
    ),
    (
        "plain",
        "branch",
        "isolated vertices stay undecided",
        "if (joins) s = 1;",
        "if (joins && start[v] < start[v + 1]) s = 1;",
    ),
]
