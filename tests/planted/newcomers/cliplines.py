"""Segments clipped to a window (Liang and Barsky): where they enter and leave it, and whether any of them is seen; touching counts."""

import numpy as np

import hotloop as hl

A = """
__kernel void cliplines(__global const int4 *line, __global float2 *part, __global uchar *seen, const int left, const int low, const int right,
                   const int top, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const int4 s = line[i];
    const int dx = s.z - s.x, dy = s.w - s.y;
    const int p[4] = {-dx, dx, -dy, dy};
    const int q[4] = {s.x - left, right - s.x, s.y - low, top - s.y};
    float enter = 0.0f, leave = 1.0f;
    bool out = false;
    for (int k = 0; k < 4; ++k) {
        if (p[k] == 0) {
            if (q[k] < 0) out = true;
        } else {
            const float t = (float)q[k] / p[k];
            if (p[k] < 0) enter = fmax(enter, t);
            else leave = fmin(leave, t);
        }
    }
    const bool inside = !out && enter <= leave;
    seen[i] = inside;
    part[i] = inside ? (float2)(enter, leave) : (float2)(0.0f);
}
"""


@hl.kernel(
    problem=dict(n=6000),
    work=lambda p: hl.Work(flops=12 * p.n, bytes=25 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=257)],
    tolerance=hl.Tolerance(terms=4),
    domain=dict(line="range"),
)
class cliplines:
    def inputs(p, rng):
        line = rng.integers(-60, 160, (p.n, 4))
        flat, steep = rng.random(p.n) < 0.2, rng.random(p.n) < 0.2
        line[flat, 3] = line[flat, 1]
        line[steep, 2] = line[steep, 0]
        return dict(
            line=line.astype("i4"),
            part=hl.empty((p.n, 2)),
            seen=hl.empty(p.n, "u1"),
            left=np.int32(rng.integers(0, 20)),
            low=np.int32(rng.integers(0, 20)),
            right=np.int32(rng.integers(60, 110)),
            top=np.int32(rng.integers(60, 110)),
            n=p.n,
        )

    def reference(p, line, part, seen, left, low, right, top, n):
        x, y, z, w = line.astype("i8").T
        dx, dy = z - x, w - y
        ps = np.stack([-dx, dx, -dy, dy])
        qs = np.stack([x - left, right - x, y - low, top - y])
        with np.errstate(all="ignore"):
            t = qs.astype("f4") / ps.astype("f4")
        enter = np.maximum(0, np.where(ps < 0, t, -np.inf).max(0))
        leave = np.minimum(1, np.where(ps > 0, t, np.inf).min(0))
        inside = ~((ps == 0) & (qs < 0)).any(0) & (enter <= leave)
        return dict(
            seen=inside.astype("u1"), part=np.where(inside[:, None], np.stack([enter, leave], 1), 0).astype("f8")
        )

    a = hl.OpenCL(A, "cliplines", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "tie", "touching a corner is not seen", "enter <= leave", "enter < leave"),
    ("a", "tie", "lines along the border are not seen", "if (q[k] < 0) out = true;", "if (q[k] <= 0) out = true;"),
    ("a", "zero", "parallels are not looked at", "if (q[k] < 0) out = true;", ""),
    ("a", "swap", "the top for the right", "right - s.x", "top - s.x"),
    ("a", "shift", "whole quotients", "(float)q[k] / p[k]", "(float)(q[k] / p[k])"),
    ("a", "sign", "the ray instead of the segment", "leave = 1.0f", "leave = INFINITY"),
    ("a", "lost", "the lower side is not met", "q[k] < 0", "q[k] < 0 && k != 2"),
]
