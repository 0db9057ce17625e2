"""YIN: squared differences of a frame at each lag, divided by their mean so far; the first lag below a limit, a local minimum there."""

import numpy as np

import hotloop as hl

A = """
#define WG 64
__kernel void yin(__global const float *x, __global float *d, __global float *scores, const int frames, const int hop, const int win, const int lags) {
    __local float part[WG];
    const int f = get_group_id(0), t = get_local_id(0);
    __global const float *s = x + (size_t)f * hop;
    float running = 0.0f;
    for (int lag = 1; lag <= lags; ++lag) {
        float sum = 0.0f;
        for (int i = t; i < win; i += WG) {
            const float e = s[i] - s[i + lag];
            sum += e * e;
        }
        part[t] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int w = WG / 2; w > 0; w >>= 1) {
            if (t < w) part[t] += part[t + w];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        running += part[0];
        if (t == 0) {
            d[f * lags + lag - 1] = part[0];
            scores[f * lags + lag - 1] = running > 0.0f ? part[0] * lag / running : 1.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(frames=20, hop=50, win=200, lags=60),
    work=lambda p: hl.Work(flops=3 * p.frames * p.win * p.lags, bytes=4 * p.frames * p.hop),
    awkward=lambda p: [
        dict(frames=1, hop=1, win=1, lags=1),
        dict(frames=3, hop=70, win=65, lags=10),
        dict(frames=5, hop=7, win=33, lags=40),
    ],
    tolerance=hl.Tolerance(terms=lambda p: 32 + p.win / 16 + p.lags),
    domain=dict(hop="any"),
)
class yin:
    def inputs(p, rng):
        n = (p.frames - 1) * p.hop + p.win + p.lags
        return dict(
            x=rng.standard_normal(n, "f4"), d=hl.empty((p.frames, p.lags)), scores=hl.empty((p.frames, p.lags)),
            frames=p.frames, hop=p.hop, win=p.win, lags=p.lags,
        )  # fmt: skip

    def reference(p, x, d, scores, frames, hop, win, lags):
        x = x.astype("f8")
        out = np.zeros((frames, lags))
        for f in range(frames):
            for lag in range(1, lags + 1):
                a = x[f * hop : f * hop + win]
                out[f, lag - 1] = ((a - x[f * hop + lag : f * hop + lag + win]) ** 2).sum()
        run = np.cumsum(out, axis=1)
        with np.errstate(all="ignore"):
            return dict(d=out, scores=np.where(run > 0, out * np.arange(1, lags + 1) / run, 1.0))

    a = hl.OpenCL(A, "yin", global_size=lambda p, c: (64 * p.frames,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "a",
        "branch",
        "silence divides by zero",
        "running > 0.0f ? part[0] * lag / running : 1.0f",
        "part[0] * lag / running",
    ),
    ("a", "barrier", "no barrier before the next lag", "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n}", "    }\n}"),
    ("a", "reduction", "the last halving is missing", "w > 0; w >>= 1", "w > 1; w >>= 1"),
    ("a", "bounds", "windows without their last sample", "i = t; i < win;", "i = t; i < win - 1;"),
    ("a", "scalar", "lags count from zero", "part[0] * lag / running", "part[0] * (lag - 1) / running"),
    ("a", "stride", "frames follow without overlap", "(size_t)f * hop", "(size_t)f * win"),
    ("a", "uninitialised", "the mean goes on from nowhere", "float running = 0.0f;", "float running;"),
]
