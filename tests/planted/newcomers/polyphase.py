"""Resampling by UP / DOWN with a filter that is stored by phases; outside the signal is zero."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const float *x, __global const float *h, __global float *y, const int n, const int m, const int up, const int down, const int taps) {
    const int i = get_global_id(0);
    if (i >= m) return;
    const int t = i * down, phase = t % up, at = t / up;
    float sum = 0.0f;
    for (int j = 0; j < taps; ++j)
        if (at - j >= 0 && at - j < n) sum += h[phase * taps + j] * x[at - j];
    y[i] = sum;
}
"""
LOCAL = """
__kernel void k(__global const float *x, __global const float *h, __global float *y, const int n, const int m, const int up, const int down, const int taps) {
    __local float c[256];
    const int l = get_local_id(0), i = get_global_id(0);
    for (int j = l; j < up * taps; j += 32) c[j] = h[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= m) return;
    const int t = i * down, at = t / up;
    __local const float *f = c + (t - at * up) * taps;
    float sum = 0.0f;
    for (int j = max(0, at - n + 1); j < taps && j <= at; ++j) sum = fma(f[j], x[at - j], sum);
    y[i] = sum;
}
"""


@hl.kernel(
    problem=dict(n=5000, up=3, down=2, taps=12),
    work=lambda p: hl.Work(flops=2 * p.taps * p.n * p.up // p.down, bytes=8 * p.n),
    awkward=lambda p: [
        dict(n=1, up=1, down=1, taps=1),
        dict(n=7, up=2, down=3, taps=5),
        dict(n=129, up=5, down=4, taps=20),
        dict(n=200, up=7, down=1, taps=9),
    ],
    domain=dict(x="finite", h="finite", up="fixed", down="fixed", taps="fixed"),
    tolerance=hl.Tolerance(terms=lambda p: p.taps),
)
class polyphase:
    def inputs(p, rng):
        m = -(-p.n * p.up // p.down)
        return dict(
            x=rng.standard_normal(p.n, "f4"),
            h=rng.standard_normal((p.up, p.taps), "f4"),
            y=hl.empty(m),
            n=np.int32(p.n),
            m=np.int32(m),
            up=np.int32(p.up),
            down=np.int32(p.down),
            taps=np.int32(p.taps),
        )

    def reference(p, x, h, y, n, m, up, down, taps):
        wide = np.zeros(p.n * p.up)
        wide[:: p.up] = x
        return dict(y=np.convolve(wide, h.astype("f8").T.ravel())[: wide.size][:: p.down])

    def magnitude(p, x, h, y, n, m, up, down, taps):
        wide = np.zeros(p.n * p.up)
        wide[:: p.up] = np.abs(x)
        return dict(y=np.convolve(wide, np.abs(h.astype("f8")).T.ravel())[: wide.size][:: p.down])

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (-(-p.n * p.up // p.down),))
    local = hl.OpenCL(
        LOCAL,
        "k",
        global_size=lambda p, c: ((-(-p.n * p.up // p.down) + 31) // 32 * 32,),
        local_size=lambda p, c: (32,),
    )


MUTANTS = [
    ("plain", "edges", "the first sample is outside", "at - j >= 0", "at - j > 0"),
    ("plain", "index", "phases go backwards", "phase = t % up", "phase = (up - t % up) % up"),
    ("plain", "index", "coefficients by taps", "h[phase * taps + j]", "h[j * up + phase]"),
    (
        "plain",
        "edges",
        "samples before the beginning are the first",
        "if (at - j >= 0 && at - j < n) sum += h[phase * taps + j] * x[at - j];",
        "if (at - j < n) sum += h[phase * taps + j] * x[max(at - j, 0)];",
    ),
    ("local", "scalar", "always three phases", "(t - at * up) * taps", "(t % 3) * taps"),
    (
        "local",
        "uninitialised",
        "only the first 32 coefficients are copied",
        "j < up * taps;",
        "j < min(up * taps, 32);",
    ),
    ("local", "barrier", "none", "    barrier(CLK_LOCAL_MEM_FENCE);\n", ""),
]
