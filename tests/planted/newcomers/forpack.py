"""Columns of integers packed by blocks of 128 (frame of reference): the least of each block, the width of what is left, and the bits."""

import numpy as np

import hotloop as hl

A = """
#define B 128
__kernel __attribute__((reqd_work_group_size(B, 1, 1)))
void forpack(__global const int *in, __global int *least, __global uchar *width, __global uint *words, const int n) {
    __local int low[B], high[B];
    __local uint packed[B];
    const int b = get_group_id(0), l = get_local_id(0), i = b * B + l;
    const int v = in[min(i, n - 1)];
    low[l] = v;
    high[l] = v;
    packed[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = B / 2; s > 0; s >>= 1) {
        if (l < s) {
            low[l] = min(low[l], low[l + s]);
            high[l] = max(high[l], high[l + s]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const uint base = as_uint(low[0]), span = as_uint(high[0]) - base;
    const int bits = 32 - clz(span);
    if (i < n && bits > 0) {
        const uint rest = as_uint(v) - base;
        const int place = l * bits, word = place >> 5, shift = place & 31;
        atomic_or(&packed[word], rest << shift);
        if (shift + bits > 32) atomic_or(&packed[word + 1], rest >> (32 - shift));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    words[i] = packed[l];
    if (l == 0) {
        least[b] = low[0];
        width[b] = bits;
    }
}
"""


@hl.kernel(
    problem=dict(n=20000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=128), dict(n=1009)],
    domain={"in": "any"},
)
class forpack:
    def inputs(p, rng):
        blocks = -(-p.n // 128)
        scale = 2.0 ** rng.integers(0, 30, blocks).repeat(128)[: p.n]
        values = (rng.random(p.n) * scale + rng.integers(-1000, 1000)).astype("i4")
        return {
            "in": values,
            "least": hl.empty(blocks, "i4"),
            "width": hl.empty(blocks, "u1"),
            "words": hl.empty(blocks * 128, "u4"),
            "n": p.n,
        }

    def reference(p, **a):
        blocks = -(-p.n // 128)
        least, width, words = np.zeros(blocks, "i4"), np.zeros(blocks, "u1"), np.zeros((blocks, 128), "u4")
        for b in range(blocks):
            v = a["in"][b * 128 : (b + 1) * 128].astype("i8")
            least[b] = v.min()
            width[b] = int(v.max() - v.min()).bit_length()
            whole = sum(int(x) << (int(width[b]) * k) for k, x in enumerate(v - v.min()))
            words[b] = np.frombuffer(whole.to_bytes(512, "little"), "u4")
        return dict(least=least, width=width, words=words.reshape(-1))

    a = hl.OpenCL(A, "forpack", global_size=lambda p, c: (-(-p.n // 128) * 128,), local_size=lambda p, c: (128,))


MUTANTS = [
    (
        "a",
        "overflow",
        "the span as a signed number",
        "const int bits = 32 - clz(span);",
        "const int bits = as_int(span) <= 0 ? 0 : 32 - clz(span);",
    ),
    (
        "a",
        "atomics",
        "bits are set without an atomic",
        "atomic_or(&packed[word], rest << shift);",
        "packed[word] |= rest << shift;",
    ),
    ("a", "uninitialised", "words are not cleared", "    packed[l] = 0;\n", ""),
    (
        "a",
        "bounds",
        "bits across two words are lost",
        "        if (shift + bits > 32) atomic_or(&packed[word + 1], rest >> (32 - shift));\n",
        "",
    ),
    ("a", "bounds", "values behind the last are packed", "if (i < n && bits > 0)", "if (bits > 0)"),
    ("a", "bounds", "values behind the last are read as zero", "in[min(i, n - 1)]", "(i < n ? in[i] : 0)"),
    (
        "a",
        "barrier",
        "no barrier before the words are stored",
        "    }\n    barrier(CLK_LOCAL_MEM_FENCE);\n    words",
        "    }\n    words",
    ),
    ("a", "bounds", "one bit too few for powers of two", "32 - clz(span)", "32 - clz(max(span, 1u) - 1)"),
    (
        "a",
        "barrier",
        "no barrier between the steps",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n    const uint base",
        "        }\n    }\n    const uint base",
    ),
]
