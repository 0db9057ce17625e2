"""Areas of triangles that are left of a line: cut at it by Sutherland and Hodgman, by sorted corners of up to four."""

import numpy as np

import hotloop as hl

A = """
__kernel void area(__global const float2 *corner, __global const float4 *line, __global float *o, const int n) {
    const int t = get_global_id(0);
    if (t >= n) return;
    float2 kept[4];
    int count = 0;
    const float4 l = line[t];
    for (int i = 0; i < 3; ++i) {
        const float2 a = corner[3 * t + i], b = corner[3 * t + (i + 1) % 3];
        const float da = l.x * a.x + l.y * a.y - l.z, db = l.x * b.x + l.y * b.y - l.z;
        if (da <= 0.0f) kept[count++] = a;
        if (da < 0.0f && db > 0.0f || da > 0.0f && db < 0.0f) kept[count++] = a + (b - a) * (da / (da - db));
    }
    float twice = 0.0f;
    for (int i = 1; i + 1 < count; ++i) {
        const float2 u = kept[i] - kept[0], v = kept[i + 1] - kept[0];
        twice += u.x * v.y - u.y * v.x;
    }
    o[t] = 0.5f * fabs(twice);
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=60 * p.n, bytes=44 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=1000)],
    tolerance=hl.Tolerance(terms=lambda p: 64, absolute=1e-4),
)
class clipped:
    def inputs(p, rng):
        line = rng.standard_normal((p.n, 4))
        line[:, :2] /= np.hypot(line[:, 0], line[:, 1])[:, None]
        return dict(
            corner=rng.standard_normal((p.n, 3, 2)).astype("f4"), line=line.astype("f4"), o=hl.empty(p.n), n=p.n
        )

    def reference(p, corner, line, o, n):
        out = np.zeros(n)
        c, l = corner.astype("f8"), line.astype("f8")
        d = c @ l[:, :2, None]
        d = d[..., 0] - l[:, 2:3]
        for t in range(n):
            kept = []
            for i in range(3):
                a, b, da, db = c[t, i], c[t, (i + 1) % 3], d[t, i], d[t, (i + 1) % 3]
                if da <= 0:
                    kept.append(a)
                if da * db < 0:
                    kept.append(a + (b - a) * (da / (da - db)))
            q = np.array([*kept, kept[0]]) if kept else np.zeros((1, 2))
            out[t] = 0.5 * abs((q[:-1, 0] * q[1:, 1] - q[1:, 0] * q[:-1, 1]).sum())
        return dict(o=out)

    a = hl.OpenCL(A, "area", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "index", "the last side is left out", "i < 3; ++i", "i < 2; ++i"),
    ("a", "sign", "parts right of the line", "if (da <= 0.0f)", "if (da >= 0.0f)"),
    ("a", "bounds", "quadrangles lose a corner", "i + 1 < count", "i + 1 < min(count, 3)"),
    ("a", "sign", "areas keep their sign", "0.5f * fabs(twice)", "0.5f * twice"),
    ("a", "swap", "the share from the other end", "(da / (da - db))", "(db / (db - da))"),
]
