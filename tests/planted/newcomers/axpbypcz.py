"""z = a x + b y + c z, where a factor of zero means that its array is not looked at (as BLAS has it)."""

import numpy as np

import hotloop as hl

A = """
__kernel void three(__global const float *x, __global const float *y, __global float *z, const float a, const float b, const float c, const int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        float v = 0.0f;
        if (a != 0.0f) v = a * x[i];
        if (b != 0.0f) v = fma(b, y[i], v);
        if (c != 0.0f) v = c == 1.0f ? v + z[i] : fma(c, z[i], v);
        z[i] = v;
    }
}
"""


@hl.kernel(
    problem=dict(n=5000),
    work=lambda p: hl.Work(flops=0, bytes=16 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=257), dict(n=1030)],
    tolerance=hl.Tolerance(terms=4),
    linear=("x", "y", "z"),
)
class axpbypcz:
    def inputs(p, rng):
        a, b, c = (float(rng.choice([0.0, 1.0, -0.75])) for _ in range(3))
        return dict(
            x=rng.standard_normal(p.n, "f4"),
            y=rng.standard_normal(p.n, "f4"),
            z=rng.standard_normal(p.n, "f4"),
            a=a,
            b=b,
            c=c,
            n=p.n,
        )

    def reference(p, x, y, z, a, b, c, n):
        return dict(z=sum((k * v.astype("f8") for k, v in ((a, x), (b, y), (c, z)) if k), np.zeros(p.n)))

    a = hl.OpenCL(A, "three", global_size=lambda p, c: (256,), local_size=lambda p, c: (64,))


MUTANTS = [
    ("a", "nan", "x is read under a zero factor", "if (a != 0.0f) v = a * x[i];", "v = a * x[i];"),
    ("a", "nan", "y is read under a zero factor", "if (b != 0.0f) v", "v"),
    ("a", "nan", "the old z is read under a zero factor", "if (c != 0.0f) v = c", "v = c"),
    ("a", "scalar", "c is taken for one", "c == 1.0f ? v + z[i] : fma(c, z[i], v)", "v + z[i]"),
    ("a", "scalar", "c that is one counts as nothing", "if (c != 0.0f) v", "if (c != 0.0f && c != 1.0f) v"),
    (
        "a",
        "zero",
        "nothing is stored where all factors are zero",
        "        z[i] = v;",
        "        if (a != 0.0f || b != 0.0f || c != 0.0f) z[i] = v;",
    ),
    ("a", "scalar", "the sign of b", "fma(b, y[i], v)", "fma(fabs(b), y[i], v)"),
    ("a", "aliasing", "y for z", "v + z[i]", "v + y[i]"),
    ("a", "bounds", "one more", "i < n; i +=", "i <= n; i +="),
    ("a", "stride", "only the first turn", "i += get_global_size(0)", "i += n"),
]
