"""Gradient noise in a plane (Perlin's improved one): four slopes from a shuffled table, joined by a smooth step."""

import numpy as np

import hotloop as hl

A = """
float slope(uchar hash, float x, float y) {
    const int h = hash & 7;
    const float u = h < 4 ? x : y, v = h < 4 ? y : x;
    return ((h & 1) ? -u : u) + ((h & 2) ? -2.0f * v : 2.0f * v);
}
float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }
__kernel void noise2(__global const float *x, __global const float *y, __global const uchar *table, __global float *out, const float scale,
                     const int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    const float px = x[i] * scale, py = y[i] * scale;
    const float fx = floor(px), fy = floor(py), u = px - fx, v = py - fy;
    const int a = (int)fx & 255, b = (int)fy & 255;
    const int l = table[a], r = table[(a + 1) & 255];
    const float lo = mix(slope(table[(l + b) & 255], u, v), slope(table[(r + b) & 255], u - 1, v), fade(u));
    const float hi = mix(slope(table[(l + b + 1) & 255], u, v - 1), slope(table[(r + b + 1) & 255], u - 1, v - 1), fade(u));
    out[i] = mix(lo, hi, fade(v));
}
"""


@hl.kernel(
    problem=dict(n=4000),
    work=lambda p: hl.Work(flops=60 * p.n, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=257)],
    tolerance=hl.Tolerance(terms=32, absolute=2e-3),
    domain=dict(table="fixed", x="range", y="range"),
)
class noise2:
    def inputs(p, rng):
        return dict(
            x=rng.uniform(-300, 300, p.n).astype("f4"),
            y=rng.uniform(-300, 300, p.n).astype("f4"),
            table=rng.permutation(256).astype("u1"),
            out=hl.empty(p.n),
            scale=np.float32(rng.uniform(0.5, 1.5)),
            n=p.n,
        )

    def reference(p, x, y, table, out, scale, n):
        px, py = (x * np.float32(scale)).astype("f8"), (y * np.float32(scale)).astype("f8")
        fx, fy = np.floor(px), np.floor(py)
        u, v = px - fx, py - fy
        a, b, t = fx.astype(int) & 255, fy.astype(int) & 255, table.astype(int)

        def slope(h, s, q):
            h = h & 7
            first, second = np.where(h < 4, s, q), np.where(h < 4, q, s)
            return np.where(h & 1, -first, first) + np.where(h & 2, -2 * second, 2 * second)

        def fade(z):
            return z**3 * (z * (z * 6 - 15) + 10)

        def mix(s, q, z):
            return s + (q - s) * z

        l, r = t[a], t[(a + 1) & 255]
        lo = mix(slope(t[(l + b) & 255], u, v), slope(t[(r + b) & 255], u - 1, v), fade(u))
        hi = mix(slope(t[(l + b + 1) & 255], u, v - 1), slope(t[(r + b + 1) & 255], u - 1, v - 1), fade(u))
        return dict(out=mix(lo, hi, fade(v)))

    a = hl.OpenCL(A, "noise2", global_size=lambda p, c: (p.n,))


MUTANTS = [
    ("a", "rounding", "towards zero instead of down", "fx = floor(px)", "fx = trunc(px)"),
    ("a", "wrap", "the table is read behind its end", "table[(a + 1) & 255]", "table[a + 1]"),
    ("a", "wrap", "tables of 128", "b = (int)fy & 255", "b = (int)fy & 127"),
    ("a", "scalar", "the scale is dropped for y", "py = y[i] * scale", "py = y[i]"),
    (
        "a",
        "formula",
        "a step of third order",
        "return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);",
        "return t * t * (3.0f - 2.0f * t);",
    ),
    ("a", "sign", "the second sign is the first's", "(h & 2) ?", "(h & 1) ?"),
    ("a", "table", "four slopes", "hash & 7", "hash & 3"),
]
