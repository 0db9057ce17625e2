"""Time stamps from differences of differences: two running sums a block, the first value and difference in front."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const long *first, __global const int *step, __global const short *dd, __global long *o, const int blocks, const int length) {
    const int b = get_global_id(0);
    if (b >= blocks) return;
    long t = first[b], d = step[b];
    for (int i = 0; i < length; ++i) {
        o[b * length + i] = t;
        t += d;
        d += dd[b * length + i];
    }
}
"""
SCAN = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k(__global const long *first, __global const int *step, __global const short *dd, __global long *o, const int blocks, const int length) {
    __local long a[64], s[64];
    const int b = get_group_id(0), t = get_local_id(0);
    long time = first[b], diff = step[b];
    for (int base = 0; base < length; base += 64) {
        const int i = base + t;
        a[t] = i < length ? dd[b * length + i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int w = 1; w < 64; w <<= 1) {
            const long add = t >= w ? a[t - w] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            a[t] += add;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        s[t] = diff + (t ? a[t - 1] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        const long last = s[63] + 0;
        for (int w = 1; w < 64; w <<= 1) {
            const long add = t >= w ? s[t - w] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            s[t] += add;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (i < length) o[b * length + i] = time + (t ? s[t - 1] : 0);
        time += s[63];
        diff += a[63];
        barrier(CLK_LOCAL_MEM_FENCE);
        (void)last;
    }
}
"""


@hl.kernel(
    problem=dict(blocks=30, length=200),
    work=lambda p: hl.Work(flops=0, bytes=10 * p.blocks * p.length),
    awkward=lambda p: [dict(blocks=1, length=1), dict(blocks=3, length=64), dict(blocks=2, length=65)],
)
class deltadec:
    def inputs(p, rng):
        return dict(
            first=rng.integers(0, 2**45, p.blocks),
            step=rng.integers(-(2**30), 2**31 - 1, p.blocks, dtype="i4"),
            dd=rng.integers(-32768, 32768, p.blocks * p.length, dtype="i2"),
            o=hl.empty(p.blocks * p.length, "i8"),
            blocks=np.int32(p.blocks),
            length=np.int32(p.length),
        )

    def reference(p, first, step, dd, o, blocks, length):
        dd = dd.reshape(p.blocks, p.length).astype("i8")
        zero = np.zeros((p.blocks, 1), "i8")
        d = step.astype("i8")[:, None] + np.concatenate([zero, np.cumsum(dd, 1)[:, :-1]], 1)
        t = first[:, None] + np.concatenate([zero, np.cumsum(d, 1)[:, :-1]], 1)
        return dict(o=t.ravel())

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.blocks,))
    scan = hl.OpenCL(SCAN, "k", global_size=lambda p, c: (64 * p.blocks,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "plain",
        "type",
        "differences in 32 bits",
        "long t = first[b], d = step[b];",
        "long t = first[b]; int d = step[b];",
    ),
    (
        "plain",
        "order",
        "the difference changes first",
        "        t += d;\n        d += dd[b * length + i];",
        "        d += dd[b * length + i];\n        t += d;",
    ),
    (
        "plain",
        "sign",
        "differences of differences as unsigned",
        "d += dd[b * length + i]",
        "d += (ushort)dd[b * length + i]",
    ),
    (
        "scan",
        "barrier",
        "no barrier between reading and adding",
        "            const long add = t >= w ? a[t - w] : 0;\n            barrier(CLK_LOCAL_MEM_FENCE);\n",
        "            const long add = t >= w ? a[t - w] : 0;\n",
    ),
    ("scan", "carry", "the next part begins with the old difference", "        diff += a[63];\n", ""),
    (
        "scan",
        "barrier",
        "no barrier before the next part",
        "        diff += a[63];\n        barrier(CLK_LOCAL_MEM_FENCE);\n",
        "        diff += a[63];\n",
    ),
]
