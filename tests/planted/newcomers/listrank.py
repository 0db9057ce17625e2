"""Distance of each node of short linked lists to the end, by pointer jumping in one group a list."""

import numpy as np

import hotloop as hl

S = r"""
#define MOST 256
__kernel void rank(__global const int *next, __global int *distance, const int n) {
    __local int link[2][MOST], far[2][MOST];
    const int l = get_local_id(0), list = get_group_id(0);
    int now = 0;
    if (l < n) {
        link[0][l] = next[list * n + l];
        far[0][l] = link[0][l] == l ? 0 : 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 1; reach < n; reach *= 2) {
        if (l < n) {
            const int to = link[now][l];
            far[1 - now][l] = far[now][l] + far[now][to];
            link[1 - now][l] = link[now][to];
        }
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l < n) distance[list * n + l] = far[now][l];
}
"""


@hl.kernel(
    problem=dict(lists=60, n=200),
    work=lambda p: hl.Work(flops=16 * p.lists * p.n, bytes=8 * p.lists * p.n),
    awkward=lambda p: [dict(lists=1, n=1), dict(lists=3, n=65), dict(lists=2, n=256), dict(lists=5, n=2)],
    domain=dict(n="at most 256"),
)
class listrank:
    def inputs(p, rng):
        links = np.empty((p.lists, p.n), "i4")
        for row in links:
            order = rng.permutation(p.n)
            row[order[:-1]] = order[1:]
            row[order[-1]] = order[-1]
        return dict(links=links, distance=hl.empty((p.lists, p.n), "i4"), n=p.n)

    def reference(p, links, distance, n):
        far, at = np.zeros((p.lists, p.n), "i8"), np.tile(np.arange(p.n), (p.lists, 1))
        for _ in range(p.n):
            to = np.take_along_axis(links, at, 1)
            far += to != at
            at = to
        return dict(distance=far.astype("i4"))

    group = hl.OpenCL(S, "rank", global_size=lambda p, c: (p.lists * 256,), local_size=lambda p, c: (256,))


MUTANTS = [
    (
        "group",
        "race",
        "one buffer for two",
        "far[1 - now][l] = far[now][l] + far[now][to];\n            link[1 - now][l] = link[now][to];\n        }\n        now = 1 - now;",
        "far[now][l] = far[now][l] + far[now][to];\n            link[now][l] = link[now][to];\n        }",
    ),
    (
        "group",
        "barrier",
        "no barrier between steps",
        "now = 1 - now;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "now = 1 - now;",
    ),
    ("group", "barrier", "no barrier after loading", "1;\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);", "1;\n    }"),
    ("group", "limit", "one step too few for powers of two and one", "reach < n; reach", "reach < n - 1; reach"),
    ("group", "type", "distances in seven bits", "= far[now][l];", "= far[now][l] & 127;"),
    ("group", "index", "lists are taken to be 256 long", "distance[list * n + l]", "distance[list * (n & ~1) + l]"),
]
