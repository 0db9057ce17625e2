"""An array reversed in place."""

import hotloop as hl

A = """
__kernel void mirrored(__global short *x, const int n) {
    const int i = get_global_id(0), j = n - 1 - i;
    if (i >= j) return;
    const short v = x[i];
    x[i] = x[j];
    x[j] = v;
}
"""


@hl.kernel(
    problem=dict(n=9000),
    work=lambda p: hl.Work(flops=0, bytes=4 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=1001)],
)
class mirrored:
    def inputs(p, rng):
        return dict(x=rng.integers(-30000, 30000, p.n, dtype="i2"), n=p.n)

    def reference(p, x, n):
        return dict(x=x[::-1])

    a = hl.OpenCL(A, "mirrored", global_size=lambda p, c: ((p.n + 1) // 2,))


MUTANTS = [
    (
        "a",
        "race",
        "read before the other one wrote, no exchange",
        "    const short v = x[i];\n    x[i] = x[j];\n    x[j] = v;",
        "    x[i] = x[j];\n    x[j] = x[i];",
    ),
    ("a", "bounds", "one place further", "n - 1 - i;", "n - i;"),
    ("a", "bounds", "the middle pair stays", "if (i >= j) return;", "if (i + 1 >= j) return;"),
    ("a", "overflow", "places in 16 bits", "j = n - 1 - i;", "j = (ushort)(n - 1 - i);"),
]
