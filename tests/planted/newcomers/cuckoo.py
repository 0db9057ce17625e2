"""Keys looked up in two tables by two hashes, the value or minus one."""

import numpy as np

import hotloop as hl

A = """
__kernel void look(__global const uint *keys, __global const int *values, __global const uint *q, __global int *o, const uint mask, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint k = q[i], a = k * 2654435761u >> 7 & mask, b = (k ^ k >> 15) * 2246822519u >> 9 & mask;
    if (keys[a] == k) o[i] = values[a];
    else if (keys[mask + 1 + b] == k) o[i] = values[mask + 1 + b];
    else o[i] = -1;
}
"""


def places(k, mask):
    k = k.astype("u4")
    return (k * np.uint32(2654435761) >> np.uint32(7)) & np.uint32(mask), (
        (k ^ k >> np.uint32(15)) * np.uint32(2246822519) >> np.uint32(9)
    ) & np.uint32(mask)


@hl.kernel(
    problem=dict(slots=1024, n=4000),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(slots=1, n=1), dict(slots=64, n=333)],
    domain=dict(slots="power of two", keys="fixed"),
)
class cuckoo:
    def inputs(p, rng):
        keys = np.full(2 * p.slots, 2**32 - 1, "u4")
        held = rng.integers(0, 2**32 - 1, p.slots, dtype="u4")
        for k in held:
            a, b = places(np.array([k]), p.slots - 1)
            where = int(a[0]) if keys[int(a[0])] == 2**32 - 1 else p.slots + int(b[0])
            keys[where] = k
        q = np.where(rng.random(p.n) < 0.7, rng.choice(held, p.n), rng.integers(0, 2**32 - 1, p.n, dtype="u4"))
        return dict(
            keys=keys,
            values=rng.integers(0, 2**31, 2 * p.slots, dtype="i4"),
            q=q.astype("u4"),
            o=hl.empty(p.n, "i4"),
            mask=np.uint32(p.slots - 1),
            n=p.n,
        )

    def reference(p, keys, values, q, o, mask, n):
        a, b = places(q, mask)
        b = b + np.uint32(mask) + np.uint32(1)
        return dict(o=np.where(keys[a] == q, values[a], np.where(keys[b] == q, values[b], -1)))

    a = hl.OpenCL(A, "look", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "hash", "the second hash without its shift", "(k ^ k >> 15)", "k"),
    ("a", "table", "the second table begins one earlier", "o[i] = values[mask + 1 + b]", "o[i] = values[mask + b]"),
    ("a", "missing", "what is not found is zero", "else o[i] = -1;", "else o[i] = 0;"),
    ("a", "second", "the second table is not asked", "else if (keys[mask + 1 + b] == k)", "else if (0)"),
]
