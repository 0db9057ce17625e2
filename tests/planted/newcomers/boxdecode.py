"""Boxes of a detector from anchors and what a network adds to them, cut at the picture's border."""

import numpy as np

import hotloop as hl

A = """
__kernel void boxdecode(__global const float4 *anchor, __global const float4 *delta, __global float4 *box, const float wide, const float high, const float most,
                        const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float4 a = anchor[i], d = delta[i];
    const float w = a.z - a.x, h = a.w - a.y;
    const float x = fma(d.x, w, a.x + 0.5f * w), y = fma(d.y, h, a.y + 0.5f * h);
    const float u = 0.5f * w * exp(fmin(d.z, most)), v = 0.5f * h * exp(fmin(d.w, most));
    box[i] = (float4)(clamp(x - u, 0.0f, wide), clamp(y - v, 0.0f, high), clamp(x + u, 0.0f, wide), clamp(y + v, 0.0f, high));
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=30 * p.n, bytes=48 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=500)],
    tolerance=hl.Tolerance(terms=16, absolute=1e-3),
    domain=dict(anchor="intervals"),
)
class boxdecode:
    def inputs(p, rng):
        low = 200 * rng.random((p.n, 2), "f4")
        return dict(
            anchor=np.c_[low, low + 8 + 60 * rng.random((p.n, 2), "f4")].astype("f4"),
            delta=2 * rng.standard_normal((p.n, 4), "f4"),
            box=hl.empty((p.n, 4)),
            wide=np.float32(200 + 50 * rng.random()),
            high=np.float32(150 + 50 * rng.random()),
            most=np.float32(2 + rng.random()),
            n=p.n,
        )

    def reference(p, anchor, delta, box, wide, high, most, n):
        a, d = anchor.astype("f8"), delta.astype("f8")
        size = a[:, 2:] - a[:, :2]
        mid = a[:, :2] + size / 2 + d[:, :2] * size
        half = size / 2 * np.exp(np.minimum(d[:, 2:], most))
        return dict(box=np.clip(np.c_[mid - half, mid + half], 0, [wide, high, wide, high]))

    a = hl.OpenCL(A, "boxdecode", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "limit", "growth has no limit", "exp(fmin(d.z, most))", "exp(d.z)"),
    ("a", "swap", "width and height of the border", "clamp(y + v, 0.0f, high)", "clamp(y + v, 0.0f, wide)"),
    ("a", "lost", "not cut below", "clamp(x - u, 0.0f, wide)", "fmin(x - u, wide)"),
    ("a", "scalar", "a whole instead of a half", "a.x + 0.5f * w", "a.x + w"),
    ("a", "swap", "moved by the height", "fma(d.x, w,", "fma(d.x, h,"),
    ("a", "scalar", "a limit of the program's own", "fmin(d.w, most)", "fmin(d.w, 4.135f)"),
]
