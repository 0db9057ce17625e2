"""Walsh and Hadamard's transform of rows of 256, scaled."""

import numpy as np

import hotloop as hl

A = """
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void walsh(__global const float *x, __global float *y, const float scale) {
    const int r = get_group_id(0), l = get_local_id(0);
    __local float v[256];
    v[l] = x[r * 256 + l];
    v[l + 128] = x[r * 256 + 128 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 1; h < 256; h *= 2) {
        const int i = l / h * 2 * h + l % h;
        const float a = v[i], b = v[i + h];
        v[i] = a + b;
        v[i + h] = a - b;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[r * 256 + l] = v[l] * scale;
    y[r * 256 + 128 + l] = v[l + 128] * scale;
}
"""


@hl.kernel(
    problem=dict(rows=100),
    work=lambda p: hl.Work(flops=2048 * p.rows, bytes=2048 * p.rows),
    awkward=lambda p: [dict(rows=1), dict(rows=3)],
    tolerance=hl.Tolerance(terms=256),
    linear=("x",),
)
class walsh:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((p.rows, 256), "f4"), y=hl.empty((p.rows, 256)), scale=np.float32(0.0625))

    def reference(p, x, y, scale):
        v = x.astype("f8")
        h = 1
        while h < 256:
            v = v.reshape(p.rows, -1, 2, h)
            v = np.stack([v[:, :, 0] + v[:, :, 1], v[:, :, 0] - v[:, :, 1]], 2)
            h *= 2
        return dict(y=v.reshape(p.rows, 256) * float(scale))

    a = hl.OpenCL(A, "walsh", global_size=lambda p, c: (p.rows * 128,), local_size=lambda p, c: (128,))


MUTANTS = [
    ("a", "barrier", "no barrier after loading", "    barrier(CLK_LOCAL_MEM_FENCE);\n    for", "    for"),
    (
        "a",
        "barrier",
        "no barrier between stages",
        "        v[i + h] = a - b;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "        v[i + h] = a - b;",
    ),
    ("a", "stage", "the last stage is left out", "h < 256; h *= 2", "h < 128; h *= 2"),
    ("a", "scalar", "scale is a sixteenth", "v[l] * scale", "v[l] * 0.0625f"),
    ("a", "sign", "differences the other way", "v[i + h] = a - b;", "v[i + h] = h == 64 ? b - a : a - b;"),
]
