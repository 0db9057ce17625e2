"""A sum of whole numbers by groups, the group that ends last adds what all have left."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void last(__global const int *x, __global volatile int *part, __global volatile int *done, __global int *y, const int n) {
    __local int t[32];
    __local int mine;
    const int l = get_local_id(0), g = get_group_id(0);
    int s = 0;
    for (int k = g * 128 + l; k < min(g * 128 + 128, n); k += 32) s += x[k];
    t[l] = s;
    for (int h = 16; h > 0; h >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < h) t[l] += t[l + h];
    }
    if (l == 0) {
        atomic_xchg(&part[g], t[0]);
        mine = atomic_inc(done) == (int)get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine && l == 0) {
        int all = 0;
        for (int k = 0; k < (int)get_num_groups(0); ++k) all += atomic_add(&part[k], 0);
        y[0] = all;
    }
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=129), dict(n=1000)],
    domain=dict(done="fixed"),
)
class lastgroup:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-100000, 100000, p.n, dtype="i4"),
            part=hl.empty(-(-p.n // 128), "i4"),
            done=np.zeros(1, "i4"),
            y=hl.empty(1, "i4"),
            n=p.n,
        )

    def reference(p, x, part, done, y, n):
        g = -(-p.n // 128)
        q = np.pad(x.astype("i8"), (0, g * 128 - p.n)).reshape(g, 128).sum(1)
        return dict(part=q, done=np.array([g]), y=np.array([x.astype("i8").sum()]))

    a = hl.OpenCL(A, "last", global_size=lambda p, c: (-(-p.n // 128) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "race",
        "counted before the part is left",
        "        atomic_xchg(&part[g], t[0]);\n        mine = atomic_inc(done) == (int)get_num_groups(0) - 1;",
        "        mine = atomic_inc(done) == (int)get_num_groups(0) - 1;\n        atomic_xchg(&part[g], t[0]);",
    ),
    ("a", "race", "counted without an atomic", "atomic_inc(done) ==", "(*done)++ =="),
    (
        "a",
        "race",
        "the last group by number adds",
        "if (mine && l == 0)",
        "if (g == (int)get_num_groups(0) - 1 && l == 0)",
    ),
    (
        "a",
        "barrier",
        "no barrier before it is asked who is last, by another item",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    if (mine && l == 0)",
        "    if (mine && l == 31)",
    ),
    ("a", "barrier", "no barrier in the reduction", "h >>= 1) {\n        barrier(CLK_LOCAL_MEM_FENCE);", "h >>= 1) {"),
    (
        "a",
        "bounds",
        "one part too few",
        "k < (int)get_num_groups(0); ++k",
        "k < (int)get_num_groups(0) - (get_num_groups(0) > 1); ++k",
    ),
    (
        "a",
        "uninitialised",
        "only the last group says that it is",
        "mine = atomic_inc(done) == (int)get_num_groups(0) - 1;",
        "if (atomic_inc(done) == (int)get_num_groups(0) - 1) mine = 1;",
    ),
]
