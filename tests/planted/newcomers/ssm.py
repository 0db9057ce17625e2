"""Selective scan of a state space model: channels by states, step by step."""

import numpy as np

import hotloop as hl

A = """
__kernel void scan(__global const float *u, __global const float *delta, __global const float *a, __global const float *b,
                   __global const float *c, __global const float *skip, __global float *y, const int length, const int channels) {
    const int d = get_global_id(0);
    if (d >= channels) return;
    float h[8];
    for (int s = 0; s < 8; ++s) h[s] = 0.0f;
    for (int t = 0; t < length; ++t) {
        const float x = u[t * channels + d], step = log1p(exp(delta[t * channels + d]));
        float sum = skip[d] * x;
        for (int s = 0; s < 8; ++s) {
            h[s] = exp(-step * a[d * 8 + s]) * h[s] + step * b[t * 8 + s] * x;
            sum += c[t * 8 + s] * h[s];
        }
        y[t * channels + d] = sum;
    }
}
"""
B = """
__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void scan(__global const float *u, __global const float *delta, __global const float *a, __global const float *b,
          __global const float *c, __global const float *skip, __global float *y, const int length, const int channels) {
    const int d = get_group_id(0), s = get_local_id(0);
    __local float part[8];
    float h = 0.0f;
    const float rate = a[d * 8 + s];
    for (int t = 0; t < length; ++t) {
        const float x = u[t * channels + d], step = log1p(exp(delta[t * channels + d]));
        h = exp(-step * rate) * h + step * b[t * 8 + s] * x;
        part[s] = c[t * 8 + s] * h;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (s == 0) {
            float sum = skip[d] * x;
            for (int i = 0; i < 8; ++i) sum += part[i];
            y[t * channels + d] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
"""


@hl.kernel(
    problem=dict(length=100, channels=64),
    work=lambda p: hl.Work(flops=60 * p.length * p.channels, bytes=12 * p.length * p.channels),
    awkward=lambda p: [dict(length=1, channels=1), dict(length=33, channels=7)],
    tolerance=hl.Tolerance(terms=lambda p: 8 * p.length, absolute=1e-4),
    domain=dict(a="positive", u="range", delta="range", b="range", c="range", skip="range"),
)
class ssm:
    def inputs(p, rng):
        return dict(
            u=rng.standard_normal((p.length, p.channels), "f4"),
            delta=rng.standard_normal((p.length, p.channels), "f4") - 2,
            a=(0.5 + rng.random((p.channels, 8), "f4") * 8).astype("f4"),
            b=rng.standard_normal((p.length, 8), "f4"),
            c=rng.standard_normal((p.length, 8), "f4"),
            skip=rng.standard_normal(p.channels, "f4"),
            y=hl.empty((p.length, p.channels)),
            length=p.length,
            channels=p.channels,
        )

    def reference(p, u, delta, a, b, c, skip, y, length, channels):
        u, step, a, b, c = (
            u.astype("f8"),
            np.log1p(np.exp(delta.astype("f8"))),
            a.astype("f8"),
            b.astype("f8"),
            c.astype("f8"),
        )
        h, made = np.zeros((channels, 8)), np.zeros((length, channels))
        for t in range(length):
            h = np.exp(-step[t][:, None] * a) * h + step[t][:, None] * b[t] * u[t][:, None]
            made[t] = h @ c[t] + skip * u[t]
        return dict(y=made)

    a = hl.OpenCL(A, "scan", global_size=lambda p, c: (p.channels,))
    b = hl.OpenCL(B, "scan", global_size=lambda p, c: (8 * p.channels,), local_size=lambda p, c: (8,))


MUTANTS = [
    ("a", "uninitialised", "states begin as they are", "    for (int s = 0; s < 8; ++s) h[s] = 0.0f;\n", ""),
    ("a", "formula", "the step is not softened", "log1p(exp(delta[t * channels + d]))", "exp(delta[t * channels + d])"),
    (
        "a",
        "order",
        "the state of the step before is used",
        "h[s] = exp(-step * a[d * 8 + s]) * h[s] + step * b[t * 8 + s] * x;\n            sum += c[t * 8 + s] * h[s];",
        "sum += c[t * 8 + s] * h[s];\n            h[s] = exp(-step * a[d * 8 + s]) * h[s] + step * b[t * 8 + s] * x;",
    ),
    (
        "b",
        "barrier",
        "no barrier before the sum",
        "part[s] = c[t * 8 + s] * h;\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "part[s] = c[t * 8 + s] * h;",
    ),
    (
        "b",
        "barrier",
        "no barrier after the sum",
        "y[t * channels + d] = sum;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);",
        "y[t * channels + d] = sum;\n        }",
    ),
    ("b", "edge", "seven states of eight", "i < 8; ++i) sum += part", "i < 7; ++i) sum += part"),
    ("b", "stride", "rates of the channel before", "a[d * 8 + s]", "a[max(d - 1, 0) * 8 + s]"),
]
