"""Which boxes hide which: for boxes in the order of their scores, bits of the later ones that overlap by more than a share."""

import numpy as np

import hotloop as hl

A = """
#define G 64
__kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void suppress(__global const float4 *box, __global ulong *mask, const float share, const int n) {
    __local float4 others[G];
    const int l = get_local_id(0), mine = get_group_id(0) * G + l, first = get_group_id(1) * G;
    const int words = get_num_groups(1);
    if (first + l < n) others[l] = box[first + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine >= n) return;
    const float4 a = box[mine];
    const float area = (a.z - a.x) * (a.w - a.y);
    ulong bits = 0;
    for (int k = 0; k < G && first + k < n; ++k) {
        if (first + k <= mine) continue;
        const float4 b = others[k];
        const float w = fmax(0.0f, fmin(a.z, b.z) - fmax(a.x, b.x)), h = fmax(0.0f, fmin(a.w, b.w) - fmax(a.y, b.y));
        const float both = w * h, either = area + (b.z - b.x) * (b.w - b.y) - both;
        if (both > share * either) bits |= 1UL << k;
    }
    mask[(size_t)mine * words + get_group_id(1)] = bits;
}
"""


@hl.kernel(
    problem=dict(n=300),
    work=lambda p: hl.Work(flops=15 * p.n * p.n // 2, bytes=16 * p.n + p.n * p.n // 8),
    awkward=lambda p: [dict(n=1), dict(n=64), dict(n=129)],
    domain=dict(box="fixed"),
)
class suppress:
    def inputs(p, rng):
        # Corners on a grid of eighths, so that areas are exact.
        corner, size = rng.integers(0, 400, (p.n, 2)), rng.integers(0, 200, (p.n, 2))
        box = np.concatenate([corner, corner + size], 1).astype("f4") / 8
        return dict(
            box=box, mask=hl.empty((p.n, -(-p.n // 64)), "u8"), share=float(rng.choice([0.25, 0.5, 0.75])), n=p.n
        )

    def reference(p, box, mask, share, n):
        b = box.astype("f8")
        w = np.clip(np.minimum(b[:, None, 2], b[None, :, 2]) - np.maximum(b[:, None, 0], b[None, :, 0]), 0, None)
        h = np.clip(np.minimum(b[:, None, 3], b[None, :, 3]) - np.maximum(b[:, None, 1], b[None, :, 1]), 0, None)
        area = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
        hit = w * h > share * (area[:, None] + area[None, :] - w * h)
        hit &= np.arange(n)[None, :] > np.arange(n)[:, None]
        wide = np.zeros((n, -(-n // 64) * 64), "u1")
        wide[:, :n] = hit
        return dict(mask=np.packbits(wide, axis=1, bitorder="little").view("u8"))

    a = hl.OpenCL(
        A, "suppress", global_size=lambda p, c: (-(-p.n // 64) * 64, -(-p.n // 64)), local_size=lambda p, c: (64, 1)
    )


MUTANTS = [
    ("a", "narrow", "bits in 32 bits", "bits |= 1UL << k;", "bits |= 1 << k;"),
    ("a", "bounds", "a box hides itself", "if (first + k <= mine) continue;", "if (first + k < mine) continue;"),
    ("a", "barrier", "no barrier after the boxes are loaded", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
    ("a", "bounds", "boxes that are not there are looked at", "k < G && first + k < n; ++k", "k < G; ++k"),
    (
        "a",
        "negative",
        "boxes apart in both directions overlap",
        "w = fmax(0.0f, fmin(a.z, b.z) - fmax(a.x, b.x)), h = fmax(0.0f, fmin(a.w, b.w) - fmax(a.y, b.y))",
        "w = fmin(a.z, b.z) - fmax(a.x, b.x), h = fmin(a.w, b.w) - fmax(a.y, b.y)",
    ),
    ("a", "tie", "exactly the share hides, too", "both > share * either", "both >= share * either"),
    ("a", "scalar", "the share is a half", "both > share * either", "both > 0.5f * either"),
    ("a", "bounds", "boxes behind the last are loaded", "if (first + l < n) others", "others"),
]
