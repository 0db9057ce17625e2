"""Run-length encoding by one group: values, lengths and how many runs there are."""

import numpy as np

import hotloop as hl

SRC = """
__kernel void k(__global const uchar *x, __global uchar *v, __global int *len, __global int *runs, const int n) {
    __local int sum[128];
    __local int start[128];
    const int l = get_local_id(0);
    int before = 0;
    for (int base = 0; base < n; base += 128) {
        const int i = base + l;
        const int head = i < n && (i == 0 || x[i] != x[i - 1]);
        sum[l] = head;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 128; d *= 2) {
            const int t = l >= d ? sum[l - d] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum[l] += t;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (head) {
            const int r = before + sum[l] - 1;
            int e = i + 1;
            while (e < n && x[e] == x[i]) ++e;
            v[r] = x[i];
            len[r] = e - i;
        }
        before += sum[127];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = before + l; r < n; r += 128) { v[r] = 0; len[r] = 0; }
    if (l == 0) *runs = before;
}
""".replace("    __local int start[128];\n", "")


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=p.n, bytes=6 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=127), dict(n=129), dict(n=512)],
)
class runlength:
    def inputs(p, rng):
        return dict(
            x=np.repeat(rng.integers(0, 256, p.n, dtype="u1"), rng.integers(1, 9, p.n))[: p.n].copy(),
            v=hl.empty(p.n, "u1"),
            len=hl.empty(p.n, "i4"),
            runs=hl.empty(1, "i4"),
            n=np.int32(p.n),
        )

    def reference(p, x, v, len, runs, n):  # noqa: A002
        heads = np.flatnonzero(np.r_[True, x[1:] != x[:-1]])
        values, lengths = np.zeros(p.n, "i8"), np.zeros(p.n, "i8")
        values[: heads.size] = x[heads]
        lengths[: heads.size] = np.diff(np.r_[heads, p.n])
        return dict(v=values, len=lengths, runs=np.array([heads.size]))

    group = hl.OpenCL(SRC, "k", global_size=lambda p, c: (128,), local_size=lambda p, c: (128,))


MUTANTS = [
    ("group", "edges", "every tile begins a run", "(i == 0 || x[i] != x[i - 1])", "(l == 0 || x[i] != x[i - 1])"),
    ("group", "type", "lengths of at most 255", "len[r] = e - i;", "len[r] = (uchar)(e - i);"),
    ("group", "over", "reads on behind the end", "while (e < n && x[e] == x[i])", "while (x[e] == x[i])"),
    ("group", "lost-tail", "the rest is not cleared", "r < n; r += 128", "r < n - 1; r += 128"),
    (
        "group",
        "barrier",
        "none before the next tile",
        "before += sum[127];\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "before += sum[127];",
    ),
    (
        "group",
        "type",
        "signed bytes are compared with zero",
        "x[i] != x[i - 1])",
        "x[i] != x[i - 1] && (char)x[i] >= -127)",
    ),
]
