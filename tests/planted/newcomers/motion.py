"""Best shift of each 8 x 8 block within three pixels by the sum of differences, the first of equals."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void mo(__global const uchar *now, __global const uchar *old, __global int *o, const int w, const int h) {
    __local uint best;
    const int l = get_local_id(0), bx = get_group_id(0) * 8, by = get_group_id(1) * 8;
    if (l == 0) best = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 49) {
        const int dx = l % 7 - 3, dy = l / 7 - 3;
        if (bx + dx >= 0 && by + dy >= 0 && bx + dx + 8 <= w && by + dy + 8 <= h) {
            uint s = 0;
            for (int k = 0; k < 64; ++k) s += abs_diff(now[(by + k / 8) * w + bx + k % 8], old[(by + dy + k / 8) * w + bx + dx + k % 8]);
            atomic_min(&best, s << 6 | l);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) o[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = best;
}
"""


@hl.kernel(
    problem=dict(w=96, h=64),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.w * p.h),
    awkward=lambda p: [dict(w=8, h=8), dict(w=16, h=40), dict(w=40, h=8)],
    domain=dict(w="multiple of 8", h="multiple of 8"),
)
class motion:
    def inputs(p, rng):
        old = rng.integers(0, 256, (p.h, p.w), dtype="u1")
        return dict(
            now=np.roll(old, (1, -2), (0, 1)) ^ rng.integers(0, 2, (p.h, p.w), dtype="u1"),
            old=old,
            o=hl.empty((p.h // 8, p.w // 8), "i4"),
            w=p.w,
            h=p.h,
        )

    def reference(p, now, old, o, w, h):
        out = np.zeros((p.h // 8, p.w // 8), "i8")
        for r in range(p.h // 8):
            for c in range(p.w // 8):
                block, found = now[8 * r : 8 * r + 8, 8 * c : 8 * c + 8].astype("i8"), []
                for l in range(49):
                    y, x = 8 * r + l // 7 - 3, 8 * c + l % 7 - 3
                    if x >= 0 and y >= 0 and x + 8 <= p.w and y + 8 <= p.h:
                        found.append(int(np.abs(block - old[y : y + 8, x : x + 8]).sum()) << 6 | l)
                out[r, c] = min(found)
        return dict(o=out)

    a = hl.OpenCL(A, "mo", global_size=lambda p, c: (p.w // 8 * 64, p.h // 8), local_size=lambda p, c: (64, 1))


MUTANTS = [
    ("a", "narrow", "sums in 8 bits", "uint s = 0;", "uchar s = 0;"),
    ("a", "bounds", "a block may end a column behind the picture", "bx + dx + 8 <= w", "bx + dx + 7 <= w"),
    ("a", "atomic", "the least without an atomic", "atomic_min(&best, s << 6 | l);", "best = min(best, s << 6 | l);"),
    ("a", "uninitialised", "the least is not set", "    if (l == 0) best = UINT_MAX;\n", ""),
    (
        "a",
        "barrier",
        "no barrier before the least is read",
        "        }\n    }\n    barrier(CLK_LOCAL_MEM_FENCE);",
        "        }\n    }",
    ),
    ("a", "ties", "of equals the last", "s << 6 | l)", "s << 6 | (63 - l)) ^ 0"),
]
