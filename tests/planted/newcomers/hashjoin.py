"""Values of keys in a table with linear probing."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const uint *keys, __global const int *values, __global const uint *probe, __global int *o, const int slots, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const uint key = probe[i];
    uint h = (key * 2654435761u) & (slots - 1);
    int found = -1;
    while (keys[h] != 0xffffffffu) {
        if (keys[h] == key) { found = values[h]; break; }
        h = (h + 1) & (slots - 1);
    }
    o[i] = found;
}
"""


@hl.kernel(
    problem=dict(n=4000, slots=1024),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1, slots=2), dict(n=333, slots=64)],
    domain=dict(keys="fixed", values="fixed", probe="range", slots="power of two"),
)
class hashjoin:
    def inputs(p, rng):
        keys = np.full(p.slots, 0xFFFFFFFF, "u4")
        values = np.full(p.slots, -2, "i4")
        pool = rng.choice(4 * p.slots, p.slots * 5 // 8, replace=False).astype("u4")
        for key in pool:
            h = (int(key) * 2654435761 & 0xFFFFFFFF) & (p.slots - 1)
            while keys[h] != 0xFFFFFFFF:
                h = (h + 1) & (p.slots - 1)
            keys[h], values[h] = key, rng.integers(0, 1 << 30)
        return dict(
            keys=keys,
            values=values,
            probe=rng.integers(0, 4 * p.slots, p.n).astype("u4"),
            o=hl.empty(p.n, "i4"),
            slots=np.int32(p.slots),
            n=np.int32(p.n),
        )

    def reference(p, keys, values, probe, o, slots, n):
        table = {int(k): int(v) for k, v in zip(keys, values, strict=True) if k != 0xFFFFFFFF}
        return dict(o=np.array([table.get(int(k), -1) for k in probe], "i4"))

    plain = hl.OpenCL(SRC, "k", global_size=lambda p, c: (p.n,))


MUTANTS = [
    (
        "plain",
        "wrap",
        "probing does not wrap round",
        "h = (h + 1) & (slots - 1);",
        "h = min(h + 1, (uint)slots - 1); if (h == slots - 1 && keys[h] != key) break;",
    ),
    (
        "plain",
        "chain",
        "only one step of probing",
        "h = (h + 1) & (slots - 1);",
        "h = (h + 1) & (slots - 1); if (keys[h] == key) found = values[h]; break;",
    ),
    ("plain", "missing", "missing keys give 0", "int found = -1", "int found = 0"),
    ("plain", "value", "the key's slot instead of its value", "found = values[h]", "found = h"),
    ("plain", "hash", "keys are hashed in 16 bits", "(key * 2654435761u)", "((key & 0x3ffu) * 2654435761u)"),
]
