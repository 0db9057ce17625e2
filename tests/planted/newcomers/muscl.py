"""One step of Burgers' equation by minmod slopes and Godunov's flux, ends held (values beyond are those at the end)."""

import numpy as np

import hotloop as hl

A = """
float minmod(float a, float b) { return a * b <= 0.0f ? 0.0f : fabs(a) < fabs(b) ? a : b; }
float at(__global const float *u, int i, int n) { return u[clamp(i, 0, n - 1)]; }
float flux(float l, float r) {
    if (l > r) return 0.5f * l + 0.5f * r > 0.0f ? 0.5f * l * l : 0.5f * r * r;
    if (l > 0.0f) return 0.5f * l * l;
    return r < 0.0f ? 0.5f * r * r : 0.0f;
}
float face(__global const float *u, int i, int n) {
    const float a = at(u, i - 1, n), b = at(u, i, n), c = at(u, i + 1, n), d = at(u, i + 2, n);
    return flux(b + 0.5f * minmod(b - a, c - b), c - 0.5f * minmod(c - b, d - c));
}
__kernel void burgers(__global const float *u, __global float *o, const float ratio, const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    o[i] = u[i] - ratio * (face(u, i, n) - face(u, i - 1, n));
}
"""


@hl.kernel(
    problem=dict(n=3000),
    work=lambda p: hl.Work(flops=40 * p.n, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=2), dict(n=67)],
    tolerance=hl.Tolerance(terms=lambda p: 32, absolute=1e-5),
)
class muscl:
    def inputs(p, rng):
        return dict(u=rng.standard_normal(p.n, "f4"), o=hl.empty(p.n), ratio=np.float32(0.2), n=p.n)

    def reference(p, u, o, ratio, n):
        w = np.pad(u.astype("f8"), 3, mode="edge")
        d = np.diff(w)
        a, b = d[:-1], d[1:]
        slope = np.where(a * b <= 0, 0, np.where(np.abs(a) < np.abs(b), a, b))
        left, right = w[1:-2] + 0.5 * slope[:-1], w[2:-1] - 0.5 * slope[1:]
        shock = np.where(left + right > 0, left**2, right**2)
        fan = np.where(left > 0, left**2, np.where(right < 0, right**2, 0))
        f = 0.5 * np.where(left > right, shock, fan)
        return dict(o=u - float(ratio) * (f[2 : n + 2] - f[1 : n + 1]))

    a = hl.OpenCL(A, "burgers", global_size=lambda p, c: (-(-p.n // 32) * 32,), local_size=lambda p, c: (32,))


MUTANTS = [
    ("a", "branch", "the larger slope", "fabs(a) < fabs(b) ? a : b", "fabs(a) > fabs(b) ? a : b"),
    ("a", "branch", "no fan around zero", "return r < 0.0f ? 0.5f * r * r : 0.0f;", "return 0.5f * r * r;"),
    ("a", "sign", "slopes of the smaller value", "fabs(a) < fabs(b) ? a : b", "a < b ? a : b"),
    ("a", "edge", "right of the end is the first", "clamp(i, 0, n - 1)", "(i < 0 ? 0 : i % n)"),
    ("a", "edge", "left of the start is read", "clamp(i, 0, n - 1)", "min(i, n - 1)"),
    ("a", "index", "slope of the wrong side", "c - 0.5f * minmod(c - b, d - c)", "c - 0.5f * minmod(b - a, c - b)"),
    ("a", "scalar", "the ratio is dropped", "u[i] - ratio *", "u[i] - 0.2f *"),
]
