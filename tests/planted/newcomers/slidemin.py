"""The least of each window of 32 in a long signal: suffixes of one block and prefixes of the next (van Herk)."""

import numpy as np

import hotloop as hl

A = """
#define W 32
__kernel __attribute__((reqd_work_group_size(W, 1, 1)))
void slidemin(__global const int *in, __global int *o, const int n) {
    __local int suffix[2][W], prefix[2][W];
    const int l = get_local_id(0), i = get_group_id(0) * W + l;
    suffix[0][l] = i < n ? in[i] : INT_MAX;
    prefix[0][l] = i + W < n ? in[i + W] : INT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = 0;
    for (int d = 1; d < W; d <<= 1) {
        suffix[1 - at][l] = l + d < W ? min(suffix[at][l], suffix[at][l + d]) : suffix[at][l];
        prefix[1 - at][l] = l >= d ? min(prefix[at][l], prefix[at][l - d]) : prefix[at][l];
        barrier(CLK_LOCAL_MEM_FENCE);
        at = 1 - at;
    }
    if (i + W <= n) o[i] = l == 0 ? suffix[at][0] : min(suffix[at][l], prefix[at][l - 1]);
}
"""


@hl.kernel(
    problem=dict(windows=20000),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.windows),
    awkward=lambda p: [dict(windows=1), dict(windows=31), dict(windows=1009)],
    domain={"in": "any"},
)
class slidemin:
    def inputs(p, rng):
        n = p.windows + 31
        return {"in": rng.integers(-100000, 100000, n).astype("i4"), "o": hl.empty(p.windows, "i4"), "n": n}

    def reference(p, **a):
        return dict(o=np.lib.stride_tricks.sliding_window_view(a["in"], 32).min(1))

    a = hl.OpenCL(A, "slidemin", global_size=lambda p, c: (-(-p.windows // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier between steps",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n        at = 1 - at;",
        "        at = 1 - at;",
    ),
    (
        "a",
        "barrier",
        "no barrier after the loads",
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    int at = 0;",
        "    int at = 0;",
    ),
    ("a", "bounds", "the step reaches one beyond the block", "l + d < W ? min", "l + d <= W ? min"),
    (
        "a",
        "bounds",
        "the first of a block looks before the prefixes",
        "l == 0 ? suffix[at][0] : min(suffix[at][l], prefix[at][l - 1])",
        "min(suffix[at][l], prefix[at][l - 1])",
    ),
    ("a", "lost-tail", "the last window is left out", "if (i + W <= n)", "if (i + W < n)"),
    ("a", "overrun", "one window too many", "if (i + W <= n)", "if (i + W <= n + 1)"),
    ("a", "reduction", "the last step is missing", "d < W; d <<= 1", "d < W / 2; d <<= 1"),
    (
        "a",
        "precision",
        "compared as float",
        "min(suffix[at][l], suffix[at][l + d])",
        "(int)fmin((float)suffix[at][l], (float)suffix[at][l + d])",
    ),
    ("a", "index", "prefixes one too far", "prefix[at][l - 1]", "prefix[at][l]"),
]
