"""The point of each body that lies farthest in each direction (as collision tests need it), the first of equals: a group for each direction."""

import numpy as np

import hotloop as hl

A = """
#define G 32
__kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void support(__global const short *v, __global const short *direction, __global int *best, __global int *reach, const int points, const int bodies) {
    __local long value[G];
    __local int place[G];
    const int d = get_group_id(0), body = get_group_id(1), l = get_local_id(0);
    const int x = direction[3 * d], y = direction[3 * d + 1], z = direction[3 * d + 2];
    long top = LONG_MIN;
    int at = points;
    for (int i = l; i < points; i += G) {
        __global const short *p = v + 3 * ((size_t)body * points + i);
        const long dot = (long)(p[0] * x) + p[1] * y + p[2] * z;
        if (dot > top) {
            top = dot;
            at = i;
        }
    }
    value[l] = top;
    place[l] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = G / 2; s > 0; s /= 2) {
        if (l < s && (value[l + s] > value[l] || (value[l + s] == value[l] && place[l + s] < place[l]))) {
            value[l] = value[l + s];
            place[l] = place[l + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        best[d * bodies + body] = place[0];
        reach[d * bodies + body] = (int)clamp(value[0], (long)INT_MIN, (long)INT_MAX);
    }
}
"""


@hl.kernel(
    problem=dict(bodies=6, points=200, directions=20),
    work=lambda p: hl.Work(flops=6 * p.bodies * p.points * p.directions, bytes=6 * p.bodies * p.points),
    awkward=lambda p: [
        dict(bodies=1, points=1, directions=1),
        dict(bodies=3, points=31, directions=2),
        dict(bodies=2, points=65, directions=5),
    ],
    domain=dict(v="any", direction="any"),
)
class support:
    def inputs(p, rng):
        return dict(
            v=rng.integers(-3000, 3000, (p.bodies, p.points, 3)).astype("i2"),
            direction=rng.integers(-100, 101, (p.directions, 3)).astype("i2"),
            best=hl.empty((p.directions, p.bodies), "i4"),
            reach=hl.empty((p.directions, p.bodies), "i4"),
            points=p.points,
            bodies=p.bodies,
        )

    def reference(p, v, direction, best, reach, points, bodies):
        dots = np.einsum("bpk,dk->dbp", v.astype("i8"), direction.astype("i8"))
        return dict(best=dots.argmax(-1), reach=np.clip(dots.max(-1), -(2**31), 2**31 - 1))

    a = hl.OpenCL(A, "support", global_size=lambda p, c: (32 * p.directions, p.bodies), local_size=lambda p, c: (32, 1))


MUTANTS = [
    ("a", "tie", "the last of equals of an item", "if (dot > top) {", "if (dot >= top) {"),
    ("a", "tie", "equals of other items by chance", " || (value[l + s] == value[l] && place[l + s] < place[l])", ""),
    (
        "a",
        "overflow",
        "sums in 32 bits",
        "const long dot = (long)(p[0] * x) + p[1] * y + p[2] * z;",
        "const long dot = p[0] * x + p[1] * y + p[2] * z;",
    ),
    ("a", "start", "the largest starts at zero", "long top = LONG_MIN;", "long top = 0;"),
    (
        "a",
        "barrier",
        "no barrier before items are compared",
        "    place[l] = at;\n    barrier(CLK_LOCAL_MEM_FENCE);\n",
        "    place[l] = at;\n",
    ),
    ("a", "lost-tail", "the last point is left out", "i < points; i += G", "i < max(points - 1, 1); i += G"),
    ("a", "stride", "directions for bodies", "best[d * bodies + body] =", "best[d + body * (int)get_num_groups(0)] ="),
    ("a", "sign", "directions by magnitude in z", "z = direction[3 * d + 2]", "z = abs(direction[3 * d + 2])"),
]
