"""C = mask ? alpha A + beta C : C times decay, where a factor of zero hides what it would multiply."""

import numpy as np

import hotloop as hl

A = """
__kernel void blend(__global const float *a, __global const uchar *mask, __global float *c, const float alpha, const float beta, const float decay, const int rows, const int cols) {
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= cols || y >= rows) return;
    const int i = y * cols + x;
    const float factor = mask[i] ? beta : decay;
    float v = mask[i] && alpha != 0.0f ? alpha * a[i] : 0.0f;
    if (factor != 0.0f) v += factor * c[i];
    c[i] = v;
}
"""


@hl.kernel(
    problem=dict(rows=50, cols=70),
    work=lambda p: hl.Work(flops=0, bytes=13 * p.rows * p.cols),
    awkward=lambda p: [dict(rows=1, cols=1), dict(rows=3, cols=33), dict(rows=17, cols=2)],
    tolerance=hl.Tolerance(terms=4),
    linear=("a", "c"),
)
class blendmask:
    def inputs(p, rng):
        return dict(
            a=rng.standard_normal((p.rows, p.cols), "f4"),
            mask=(rng.random((p.rows, p.cols)) < 0.5).astype("u1"),
            c=rng.standard_normal((p.rows, p.cols), "f4"),
            alpha=1.5,
            beta=0.5,
            decay=float(rng.choice([0.0, 0.9])),
            rows=p.rows,
            cols=p.cols,
        )

    def reference(p, a, mask, c, alpha, beta, decay, rows, cols):
        old = c.astype("f8")
        new = (alpha * a.astype("f8") if alpha else 0) + (beta * old if beta else 0)
        return dict(c=np.where(mask != 0, new, decay * old if decay else 0.0))

    a = hl.OpenCL(A, "blend", global_size=lambda p, c: (p.cols, p.rows))


MUTANTS = [
    ("a", "nan", "the old value is read whatever its factor is", "if (factor != 0.0f) v +=", "v +="),
    ("a", "nan", "a is read under alpha zero", "mask[i] && alpha != 0.0f", "mask[i]"),
    (
        "a",
        "nan",
        "a is multiplied by the mask",
        "mask[i] && alpha != 0.0f ? alpha * a[i] : 0.0f",
        "(mask[i] ? alpha : 0.0f) * a[i]",
    ),
    ("a", "scalar", "beta is a half", "mask[i] ? beta : decay", "mask[i] ? 0.5f : decay"),
    (
        "a",
        "scalar",
        "decay is as good as one where it is not zero",
        "factor * c[i]",
        "(factor > 0.8f && !mask[i] ? 1.0f : factor) * c[i]",
    ),
    (
        "a",
        "stride",
        "rows of the mask are as far apart as there are",
        "const float factor = mask[i]",
        "const float factor = mask[min(y * rows + x, rows * cols - 1)]",
    ),
    (
        "a",
        "unwritten",
        "what is hidden is left as it was",
        "    c[i] = v;",
        "    if (factor != 0.0f || mask[i]) c[i] = v;",
    ),
]
