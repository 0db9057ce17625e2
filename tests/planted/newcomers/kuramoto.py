"""Phases of coupled oscillators: the rate of each is its own frequency and the mean pull of all; in tiles."""

import numpy as np

import hotloop as hl

SOURCE = """
#pragma OPENCL FP_CONTRACT OFF
#define G 64
__kernel void rates(__global const float *phase, __global const float *own, __global float *rate, const int n, const float coupling) {
    __local float s[G], c[G];
    const int i = get_global_id(0), l = get_local_id(0);
    const float p = i < n ? phase[i] : 0.0f, sp = sin(p), cp = cos(p);
    float pull = 0.0f;
    for (int t = 0; t < n; t += G) {
        if (t + l < n) {
            s[l] = sin(phase[t + l]);
            c[l] = cos(phase[t + l]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int count = min(G, n - t);
        for (int j = 0; j < count; ++j) pull += s[j] * cp - c[j] * sp;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) rate[i] = own[i] + coupling * pull / n;
}
"""


@hl.kernel(
    problem=dict(n=600),
    work=lambda p: hl.Work(flops=4 * p.n**2, bytes=12 * p.n),
    awkward=lambda p: [dict(n=1), dict(n=65), dict(n=130)],
    tolerance=hl.Tolerance(terms=lambda p: 16, absolute=2e-5),
    domain=dict(phase="range"),
)
class kuramoto:
    def inputs(p, rng):
        return dict(
            phase=rng.uniform(0, 2 * np.pi, p.n).astype("f4"),
            own=rng.standard_normal(p.n, "f4"),
            rate=hl.empty(p.n),
            n=np.int32(p.n),
            coupling=1.5,
        )

    def reference(p, phase, own, rate, n, coupling):
        a = phase.astype("f8")
        return dict(rate=own + float(coupling) * np.sin(a[None] - a[:, None]).mean(axis=1))

    tiled = hl.OpenCL(SOURCE, "rates", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "tiled",
        "barrier",
        "no barrier after loading",
        "        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n",
        "        }\n",
    ),
    (
        "tiled",
        "barrier",
        "no barrier before the next tile",
        "c[j] * sp;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "c[j] * sp;",
    ),
    ("tiled", "sign", "phases push", "s[j] * cp - c[j] * sp", "c[j] * sp - s[j] * cp"),
    (
        "tiled",
        "limit",
        "a last partial tile is counted whole",
        "const int count = min(G, n - t);",
        "const int count = t ? G : min(G, n);",
    ),
    ("tiled", "scalar", "the coupling is 1.5", "coupling * pull / n", "1.5f * pull / n"),
    ("tiled", "off-by-one", "the mean without itself", "pull / n;", "pull / max(n - 1, 1);"),
]
