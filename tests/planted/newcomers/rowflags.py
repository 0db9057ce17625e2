"""For each of very many short rows whether it holds an odd number of set bits, a row a group."""

import numpy as np

import hotloop as hl

GROUP = """
__kernel void k(__global const uint *x, __global uchar *o, const int rows) {
    __local uint s[4];
    const int r = get_group_id(0), l = get_local_id(0);
    s[l] = x[4 * r + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) o[r] = popcount(s[0] ^ s[1] ^ s[2] ^ s[3]) & 1;
}
"""
ITEM = """
__kernel void k(__global const uint *x, __global uchar *o, const int rows) {
    for (int r = get_global_id(0); r < rows; r += get_global_size(0)) {
        uint v = x[4 * r] ^ x[4 * r + 1] ^ x[4 * r + 2] ^ x[4 * r + 3];
        v ^= v >> 16; v ^= v >> 8; v ^= v >> 4; v ^= v >> 2; v ^= v >> 1;
        o[r] = v & 1;
    }
}
"""


@hl.kernel(
    problem=dict(rows=3000),
    work=lambda p: hl.Work(flops=40 * p.rows, bytes=17 * p.rows),
    awkward=lambda p: [dict(rows=1), dict(rows=13), dict(rows=1000)],
)
class rowflags:
    def inputs(p, rng):
        x = rng.integers(0, 1 << 32, 4 * p.rows, dtype="u4")
        return dict(x=x, o=hl.empty(p.rows, "uint8"), rows=np.int32(p.rows))

    def reference(p, x, o, rows):
        v = np.bitwise_xor.reduce(x.reshape(-1, 4), axis=1)
        return dict(o=np.array([int(one).bit_count() & 1 for one in v], "u1"))

    group = hl.OpenCL(GROUP, "k", global_size=lambda p, c: (4 * p.rows,), local_size=lambda p, c: (4,))
    item = hl.OpenCL(ITEM, "k", global_size=lambda p, c: (512,))


MUTANTS = [
    (
        "group",
        "wide",
        "rows counted in 16 bits",
        "const int r = get_group_id(0)",
        "const int r = (ushort)get_group_id(0)",
    ),
    (
        "group",
        "wide",
        "rows counted in 16 signed bits",
        "const int r = get_group_id(0)",
        "const int r = (short)get_group_id(0)",
    ),
    ("item", "wide", "places in 16 bits", "x[4 * r + 3]", "x[(ushort)(4 * r + 3)]"),
    (
        "item",
        "wide",
        "rows of 16 bits",
        "int r = get_global_id(0); r < rows",
        "int r = get_global_id(0); r < min(rows, 65535)",
    ),
    ("item", "wide", "rows within 20 bits", "x[4 * r]", "x[4 * (r & 0xfffff)]"),
    ("item", "last", "no last step of folding", "v ^= v >> 1;", ""),
    ("item", "shift", "a wrong width", "v >> 16", "v >> 12"),
    ("group", "swap", "a word twice", "s[2] ^ s[3]", "s[2] ^ s[2]"),
    ("group", "barrier", "no barrier", "l];\n    barrier(CLK_LOCAL_MEM_FENCE);", "l];"),
]
