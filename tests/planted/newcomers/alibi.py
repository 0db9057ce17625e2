"""Scores of attention with a slope by distance and a window: -inf outside; then the row's softmax."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *s, __global const float *slope, __global float *o, const int heads, const int n, const int window) {
    const int row = get_global_id(0);
    if (row >= heads * n) return;
    const int h = row / n, i = row % n;
    __global const float *in = s + row * n;
    __global float *out = o + row * n;
    float top = -INFINITY;
    for (int j = 0; j < n; ++j) {
        const int d = i - j;
        if (d >= 0 && d < window) top = fmax(top, in[j] - slope[h] * d);
    }
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) {
        const int d = i - j;
        const float e = d >= 0 && d < window ? exp(in[j] - slope[h] * d - top) : 0.0f;
        out[j] = e;
        sum += e;
    }
    for (int j = 0; j < n; ++j) out[j] /= sum;
}
"""
ONLINE = """
__kernel void k(__global const float *s, __global const float *slope, __global float *o, const int heads, const int n, const int window) {
    const int i = get_global_id(0), h = get_global_id(1);
    if (i >= n || h >= heads) return;
    const int row = (h * n + i) * n, first = max(0, i - window + 1);
    float top = -INFINITY, sum = 0.0f;
    for (int j = first; j <= i; ++j) {
        const float v = s[row + j] - slope[h] * (i - j);
        const float now = fmax(top, v);
        sum = sum * exp(top - now) + exp(v - now);
        top = now;
    }
    for (int j = 0; j < n; ++j)
        o[row + j] = j < first || j > i ? 0.0f : exp(s[row + j] - slope[h] * (i - j) - top) / sum;
}
"""


@hl.kernel(
    problem=dict(heads=3, n=70, window=20),
    work=lambda p: hl.Work(flops=8 * p.heads * p.n * p.n, bytes=8 * p.heads * p.n * p.n),
    awkward=lambda p: [dict(heads=1, n=1, window=1), dict(heads=2, n=9, window=3), dict(heads=1, n=33, window=40)],
    tolerance=hl.Tolerance(terms=lambda p: 4 * p.n, absolute=1e-6),
    domain=dict(slope="range", s="finite"),
)
class alibi:
    def inputs(p, rng):
        return dict(
            s=2 * rng.standard_normal((p.heads, p.n, p.n), "f4"),
            slope=(2.0 ** -np.arange(1, p.heads + 1)).astype("f4") * np.float32(0.5 + rng.random()),
            o=hl.empty((p.heads, p.n, p.n)),
            heads=np.int32(p.heads),
            n=np.int32(p.n),
            window=np.int32(p.window),
        )

    def reference(p, s, slope, o, heads, n, window):
        d = np.arange(p.n)[:, None] - np.arange(p.n)[None]
        v = s.astype("f8") - slope.astype("f8")[:, None, None] * d[None]
        v = np.where((d >= 0) & (d < p.window), v, -np.inf)
        e = np.exp(v - v.max(2, keepdims=True))
        return dict(o=e / e.sum(2, keepdims=True))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.heads * p.n,))
    online = hl.OpenCL(ONLINE, "k", global_size=lambda p, c: (p.n, p.heads))


MUTANTS = [
    (
        "plain",
        "causal",
        "one key too many in the window",
        "        const float e = d >= 0 && d < window ?",
        "        const float e = d >= 0 && d <= window ?",
    ),
    (
        "plain",
        "scalar",
        "one slope for all heads",
        "exp(in[j] - slope[h] * d - top)",
        "exp(in[j] - slope[0] * d - top)",
    ),
    ("plain", "large-values", "the largest score is not taken away", "slope[h] * d - top)", "slope[h] * d)"),
    ("online", "online", "the sum is not rescaled", "sum * exp(top - now) + exp(v - now)", "sum + exp(v - now)"),
    (
        "online",
        "zeroed",
        "places outside are left alone",
        "    for (int j = 0; j < n; ++j)\n        o[row + j] = j < first",
        "    for (int j = 0; j <= i; ++j)\n        o[row + j] = j < first",
    ),
]
