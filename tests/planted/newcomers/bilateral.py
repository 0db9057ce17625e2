"""Bilateral filter of an image with clamped borders."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global float *y, const int h, const int w, const float space, const float range) {
    const int c = get_global_id(0), r = get_global_id(1);
    if (c >= w || r >= h) return;
    const float own = x[r * w + c];
    float sum = 0.0f, total = 0.0f;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const int yy = clamp(r + dy, 0, h - 1), xx = clamp(c + dx, 0, w - 1);
            const float v = x[yy * w + xx], e = v - own;
            const float a = exp(-(dx * dx + dy * dy) * space - e * e * range);
            sum += a * v;
            total += a;
        }
    y[r * w + c] = sum / total;
}
"""


@hl.kernel(
    problem=dict(h=50, w=70),
    work=lambda p: hl.Work(flops=200 * p.h * p.w, bytes=8 * p.h * p.w),
    awkward=lambda p: [dict(h=1, w=1), dict(h=3, w=130)],
    tolerance=hl.Tolerance(terms=lambda p: 60, absolute=1e-6),
    domain=dict(x="range", space="range", range="range"),
)
class bilateral:
    def inputs(p, rng):
        return dict(
            x=rng.uniform(0, 1, (p.h, p.w)).astype("f4"),
            y=hl.empty((p.h, p.w)),
            h=np.int32(p.h),
            w=np.int32(p.w),
            space=np.float32(rng.uniform(0.05, 0.5)),
            range=np.float32(rng.uniform(1, 20)),
        )

    def reference(p, x, y, h, w, space, range):  # noqa: A002
        v = np.pad(x.astype("f8"), 2, mode="edge")
        s, t = np.zeros((p.h, p.w)), np.zeros((p.h, p.w))
        for dy in (0, 1, 2, 3, 4):
            for dx in (0, 1, 2, 3, 4):
                q = v[dy : dy + p.h, dx : dx + p.w]
                a = np.exp(-((dx - 2) ** 2 + (dy - 2) ** 2) * np.float64(space) - (q - x) ** 2 * np.float64(range))
                s, t = s + a * q, t + a
        return dict(y=s / t)

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.w, p.h))


MUTANTS = [
    (
        "plain",
        "border",
        "borders reflect",
        "clamp(c + dx, 0, w - 1)",
        "(c + dx < 0 ? min(-(c + dx), w - 1) : min(c + dx, w - 1))",
    ),
    ("plain", "dropped", "no range weight", " - e * e * range", ""),
    ("plain", "dropped", "space is a constant", "* space", "* 0.25f"),
    ("plain", "lost-tail", "the last column of the window", "dx <= 2", "dx < 2"),
    ("plain", "norm", "distance, not its square", "(dx * dx + dy * dy)", "(abs(dx) + abs(dy))"),
    ("plain", "swap", "rows and columns of the border", "clamp(r + dy, 0, h - 1)", "clamp(r + dy, 0, w - 1) % h"),
]
