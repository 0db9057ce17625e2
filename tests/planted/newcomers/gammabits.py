"""Numbers in Elias' gamma code, one from each 64-bit word, most significant bit first."""

import numpy as np

import hotloop as hl

A = """
__kernel void gammabits(__global const ulong *x, __global ulong *y, __global int *used, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int z = (int)clz(x[i]);
    const int all = 2 * z + 1;
    if (all > 64) { y[i] = 0; used[i] = -1; return; }
    y[i] = x[i] >> (64 - all);
    used[i] = all;
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=0, bytes=4 * 5 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
    domain=dict(x="any"),
)
class gammabits:
    def inputs(p, rng):
        return dict(
            x=rng.integers(0, 2**64, p.n, dtype="u8") >> rng.integers(0, 40, p.n).astype("u8"),
            y=hl.empty(p.n, "u8"),
            used=hl.empty(p.n, "i4"),
            n=p.n,
        )

    def reference(p, x, y, used, n):
        z = np.array([64 - int(v).bit_length() for v in x], "i8")
        fits = 2 * z + 1 <= 64
        return dict(
            y=np.array([int(v) >> (63 - 2 * int(k)) if f else 0 for v, k, f in zip(x, z, fits, strict=False)], "u8"),
            used=np.where(fits, 2 * z + 1, -1),
        )

    a = hl.OpenCL(A, "gammabits", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "shift", "a signed shift", "x[i] >> (64 - all)", "(ulong)((long)x[i] >> (64 - all))"),
    ("a", "limit", "63 bits at most", "all > 64", "all > 62"),
    ("a", "shift", "a negative shift is not asked for", "if (all > 64) {", "if (all > 65) {"),
]
