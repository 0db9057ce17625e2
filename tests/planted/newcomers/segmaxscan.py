"""Running maxima that begin anew at flags, by groups with a carry."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void scan(__global const float *x, __global const uchar *flag, __global float *o, const int n) {
    __local float v[64];
    __local int f[64];
    const int l = get_local_id(0), r = get_group_id(0);
    float carry = -INFINITY;
    for (int from = 0; from < n; from += 64) {
        const int i = from + l;
        v[l] = i < n ? x[r * n + i] : -INFINITY;
        f[l] = i < n ? flag[r * n + i] != 0 : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 1; d < 64; d <<= 1) {
            float a = -INFINITY;
            int b = 0;
            if (l >= d) { a = v[l - d]; b = f[l - d]; }
            barrier(CLK_LOCAL_MEM_FENCE);
            if (l >= d) {
                if (!f[l]) v[l] = fmax(v[l], a);
                f[l] |= b;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const float got = f[l] ? v[l] : fmax(v[l], carry);
        if (i < n) o[r * n + i] = got;
        const float last = f[63] ? v[63] : fmax(v[63], carry);
        barrier(CLK_LOCAL_MEM_FENCE);
        carry = last;
    }
}
"""


@hl.kernel(
    problem=dict(rows=40, n=300),
    work=lambda p: hl.Work(flops=0, bytes=9 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1), dict(rows=2, n=63), dict(rows=3, n=129)],
    domain=dict(x="finite"),
)
class segmaxscan:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.n), "f4"),
            flag=(rng.random((p.rows, p.n)) < 0.03).astype("u1") * rng.integers(1, 256, (p.rows, p.n), dtype="u1"),
            o=hl.empty((p.rows, p.n)),
            n=p.n,
        )

    def reference(p, x, flag, o, n):
        out = x.astype("f8").copy()
        for i in range(1, p.n):
            out[:, i] = np.where(flag[:, i] != 0, out[:, i], np.maximum(out[:, i], out[:, i - 1]))
        return dict(o=out)

    a = hl.OpenCL(A, "scan", global_size=lambda p, c: (64 * p.rows,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "barrier",
        "no barrier between reading and joining",
        "b = f[l - d]; }\n            barrier(CLK_LOCAL_MEM_FENCE);",
        "b = f[l - d]; }",
    ),
    (
        "a",
        "barrier",
        "no barrier after joining",
        "f[l] |= b;\n            }\n            barrier(CLK_LOCAL_MEM_FENCE);",
        "f[l] |= b;\n            }",
    ),
    (
        "a",
        "barrier",
        "no barrier before the next stretch",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n        carry = last;",
        "        carry = last;",
    ),
    ("a", "flags", "flags are not handed on", "                f[l] |= b;\n", ""),
    ("a", "start", "the carry begins at zero", "float carry = -INFINITY;", "float carry = 0.0f;"),
    ("a", "bits", "the lowest bit of a flag counts", "flag[r * n + i] != 0 : 0", "flag[r * n + i] & 1 : 0"),
    (
        "a",
        "uninitialised",
        "items behind the end have no flag set",
        "f[l] = i < n ? flag[r * n + i] != 0 : 0;",
        "if (i < n) f[l] = flag[r * n + i] != 0;",
    ),
    (
        "a",
        "carry",
        "the carry crosses a flag",
        "const float last = f[63] ? v[63] : fmax(v[63], carry);",
        "const float last = fmax(v[63], carry);",
    ),
    ("a", "reduction", "the last doubling is left out", "d < 64; d <<= 1", "d < 32; d <<= 1"),
]
