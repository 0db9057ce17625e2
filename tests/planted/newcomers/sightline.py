"""What is seen from the beginning of each row of heights: a cell is seen where its slope exceeds all before it; scans in local memory."""

import numpy as np

import hotloop as hl

A = """
#define G 64
__kernel __attribute__((reqd_work_group_size(G, 1, 1)))
void sight(__global const int *height, __global uchar *seen, __global int *count, const int eye, const int width) {
    __local float slope[2][G];
    __local float before;
    __local int total;
    const int row = get_group_id(0), l = get_local_id(0);
    if (l == 0) {
        before = -INFINITY;
        total = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int first = 0; first < width; first += G) {
        const int x = first + l;
        const float own = x < width ? (float)(height[(size_t)row * width + x] - height[(size_t)row * width] - eye) / (x + 1) : -INFINITY;
        int at = 0;
        slope[0][l] = own;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < G; d <<= 1) {
            slope[1 - at][l] = l >= d ? fmax(slope[at][l], slope[at][l - d]) : slope[at][l];
            at = 1 - at;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const float highest = l == 0 ? before : fmax(before, slope[at][l - 1]);
        if (x < width) {
            seen[(size_t)row * width + x] = own > highest;
            if (own > highest) atomic_inc(&total);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) before = fmax(before, slope[at][G - 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) count[row] = total;
}
"""


@hl.kernel(
    problem=dict(rows=60, width=500),
    work=lambda p: hl.Work(flops=0, bytes=5 * p.rows * p.width),
    awkward=lambda p: [dict(rows=1, width=1), dict(rows=3, width=64), dict(rows=4, width=131)],
    domain=dict(height="range"),
)
class sightline:
    def inputs(p, rng):
        steps = rng.integers(-6, 7, (p.rows, p.width))
        return dict(
            height=np.clip(np.cumsum(steps, 1) + 200, 0, 4000).astype("i4"), seen=hl.empty((p.rows, p.width), "u1"),
            count=hl.empty(p.rows, "i4"), eye=np.int32(rng.integers(1, 10)), width=p.width,
        )  # fmt: skip

    def reference(p, height, seen, count, eye, width):
        # As quotients of float32, as the kernel is asked to compare them.
        rise = (height.astype("i8") - height[:, :1] - eye).astype("f4") / np.arange(1, width + 1, dtype="f4")
        high = np.concatenate([np.full((p.rows, 1), -np.inf), np.maximum.accumulate(rise, 1)[:, :-1]], 1)
        return dict(seen=(rise > high).astype("u1"), count=(rise > high).sum(1))

    a = hl.OpenCL(A, "sight", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "tie", "equal slopes are seen", "own > highest;", "own >= highest;"),
    (
        "a",
        "barrier",
        "no barrier before the highest is moved on",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n        if (l == 0) before",
        "        if (l == 0) before",
    ),
    (
        "a",
        "barrier",
        "no barrier after the highest is moved on",
        "fmax(before, slope[at][G - 1]);\n        barrier(CLK_LOCAL_MEM_FENCE);\n",
        "fmax(before, slope[at][G - 1]);\n",
    ),
    ("a", "start", "slopes below zero are not seen", "before = -INFINITY;", "before = 0.0f;"),
    ("a", "bounds", "the last of a block does not hide", "slope[at][G - 1]", "slope[at][G - 2]"),
    ("a", "index", "distances from zero", "/ (x + 1)", "/ max(x, 1)"),
    ("a", "atomics", "counted without an atomic", "atomic_inc(&total)", "++total"),
    ("a", "uninitialised", "the count is not cleared", "        total = 0;\n", ""),
    ("a", "scalar", "the eye lies on the ground", " - eye)", ")"),
]
