"""Monotone cubic interpolation on even places: slopes limited by their neighbours' (harmonic mean), ends by the nearest slope."""

import numpy as np

import hotloop as hl

A = """
float slope(__global const float *y, int n, int i) {
    if (i == 0) return y[1] - y[0];
    if (i == n - 1) return y[n - 1] - y[n - 2];
    float a = y[i] - y[i - 1], b = y[i + 1] - y[i];
    return a * b <= 0 ? 0 : 2 * a * b / (a + b);
}
__kernel void k(__global const float *y, __global const float *at, __global float *o, int n, int q) {
    int g = get_global_id(0);
    if (g >= q) return;
    float u = clamp(at[g], 0.0f, (float)(n - 1));
    int i = min((int)u, n - 2);
    float t = u - i, a = slope(y, n, i), b = slope(y, n, i + 1);
    float t2 = t * t, t3 = t2 * t;
    o[g] = (2 * t3 - 3 * t2 + 1) * y[i] + (t3 - 2 * t2 + t) * a + (3 * t2 - 2 * t3) * y[i + 1] + (t3 - t2) * b;
}
"""
B = """
__kernel void k(__global const float *y, __global const float *at, __global float *o, int n, int q) {
    int g = get_global_id(0);
    if (g >= q) return;
    float u = fmin(fmax(at[g], 0.0f), n - 1.0f);
    int i = (int)u; if (i > n - 2) i = n - 2;
    float t = u - i, mid = y[i + 1] - y[i];
    float l = i > 0 ? y[i] - y[i - 1] : mid, r = i + 2 < n ? y[i + 2] - y[i + 1] : mid;
    float a = l * mid > 0 ? 2 * l * mid / (l + mid) : 0, b = r * mid > 0 ? 2 * r * mid / (r + mid) : 0;
    o[g] = y[i] + t * (a + t * ((3 * mid - 2 * a - b) + t * (a + b - 2 * mid)));
}
"""


@hl.kernel(
    problem=dict(n=100, q=4000),
    work=lambda p: hl.Work(flops=30 * p.q, bytes=8 * p.q),
    awkward=lambda p: [dict(n=3, q=1), dict(n=17, q=99)],
    tolerance=hl.Tolerance(terms=16, absolute=1e-5),
)
class monotone:
    def inputs(p, rng):
        return dict(
            y=rng.standard_normal(p.n, dtype="f4"),
            at=(rng.random(p.q, dtype="f4") * np.float32(p.n + 1) - 1),
            o=hl.empty(p.q),
            n=p.n,
            q=p.q,
        )

    def reference(p, y, at, o, n, q):
        y = y.astype("f8")
        u = np.clip(at.astype("f8"), 0, n - 1)
        d = np.diff(y)
        pr = d[:-1] * d[1:]
        with np.errstate(all="ignore"):
            h = np.where(pr > 0, 2 * pr / (d[:-1] + d[1:]), 0)
        m = np.concatenate([d[:1], h, d[-1:]])
        i = np.minimum(u.astype("i8"), n - 2)
        t = u - i
        return dict(
            o=(2 * t**3 - 3 * t**2 + 1) * y[i]
            + (t**3 - 2 * t**2 + t) * m[i]
            + (3 * t**2 - 2 * t**3) * y[i + 1]
            + (t**3 - t**2) * m[i + 1]
        )

    a = hl.OpenCL(A, "k", global_size=lambda p, c: (p.q,))
    b = hl.OpenCL(B, "k", global_size=lambda p, c: (p.q,))


MUTANTS = [
    ("a", "limit", "slopes are not limited", "a * b <= 0 ? 0 : 2 * a * b / (a + b)", "0.5f * (a + b)"),
    ("a", "bounds", "the last interval is passed", "min((int)u, n - 2)", "(int)u"),
    ("a", "ends", "the first slope is zero", "return y[1] - y[0];", "return 0;"),
    ("a", "zero", "flat steps divide by zero", "a * b <= 0 ?", "a * b < 0 ?"),
    ("b", "clamp", "places below zero are not held", "fmin(fmax(at[g], 0.0f), n - 1.0f)", "fmin(at[g], n - 1.0f)"),
    ("b", "ends", "the last slope reads on", "i + 2 < n ?", "i + 2 <= n ?"),
    (
        "b",
        "sign",
        "one slope with the other's",
        "r * mid > 0 ? 2 * r * mid / (r + mid)",
        "r * mid > 0 ? 2 * r * mid / (l + mid)",
    ),
]
