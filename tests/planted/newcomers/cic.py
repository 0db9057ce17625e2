"""A decimating filter of combs and integrators in wrapping 32 bits: three stages, by rows of samples."""

import numpy as np

import hotloop as hl

A = """
__kernel void cic(__global const short *x, __global int *o, const int rows, const int n, const int by) {
    const int r = get_global_id(0);
    if (r >= rows) return;
    uint a = 0, b = 0, c = 0, da = 0, db = 0, dc = 0;
    const int outs = n / by;
    for (int k = 0; k < outs; ++k) {
        for (int j = 0; j < by; ++j) {
            a += (uint)(int)x[r * n + k * by + j];
            b += a;
            c += b;
        }
        const uint ya = c - da;
        da = c;
        const uint yb = ya - db;
        db = ya;
        const uint yc = yb - dc;
        dc = yb;
        o[r * outs + k] = (int)yc;
    }
}
"""


@hl.kernel(
    problem=dict(rows=30, n=1000, by=10),
    work=lambda p: hl.Work(flops=0, bytes=2 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=1, by=1), dict(rows=3, n=35, by=8), dict(rows=2, n=300, by=60)],
    domain=dict(by="fixed"),
)
class cic:
    def inputs(p, rng):
        return dict(
            x=rng.integers(-(2**15), 2**15, (p.rows, p.n), dtype="i2"),
            o=hl.empty((p.rows, p.n // p.by), "i4"),
            rows=p.rows,
            n=p.n,
            by=p.by,
        )

    def reference(p, x, o, rows, n, by):
        taps = np.ones(1, "i8")
        for _ in range(3):
            taps = np.convolve(taps, np.ones(p.by, "i8"))
        out = np.zeros((p.rows, p.n // p.by), "i8")
        for r in range(p.rows):
            full = np.convolve(x[r].astype("i8"), taps)
            out[r] = full[p.by - 1 : p.n // p.by * p.by : p.by]
        return dict(o=out)

    a = hl.OpenCL(A, "cic", global_size=lambda p, c: (p.rows,))


MUTANTS = [
    (
        "a",
        "sign",
        "samples are taken for unsigned",
        "(uint)(int)x[r * n + k * by + j]",
        "(uint)(ushort)x[r * n + k * by + j]",
    ),
    ("a", "narrow", "the last integrator saturates", "c += b;", "c = add_sat(c, b);"),
    ("a", "precision", "the last integrator in float", "c += b;", "c = (uint)(long)((float)c + (float)b);"),
    (
        "a",
        "order",
        "the second integrator takes the old sum",
        "            a += (uint)(int)x[r * n + k * by + j];\n            b += a;",
        "            b += a;\n            a += (uint)(int)x[r * n + k * by + j];",
    ),
    ("a", "stage", "a comb is missing", "const uint yc = yb - dc;", "const uint yc = yb;"),
    ("a", "stage", "a comb's memory is taken after", "        da = c;\n", "        da = ya;\n"),
    ("a", "rows", "rows of results are one longer", "o[r * outs + k]", "o[r * (outs + 1) + k]"),
    ("a", "lost-tail", "the last result", "k < outs; ++k", "k < outs - (outs > 2); ++k"),
    (
        "a",
        "state",
        "the first integrator begins anew with each result",
        "        for (int j = 0; j < by; ++j) {\n",
        "        a = 0;\n        for (int j = 0; j < by; ++j) {\n",
    ),
]
