"""Complex FFT of rows, length a power of two."""

import numpy as np

import hotloop as hl

LOCAL = """
__kernel void fft(__global const float2 *x, __global float2 *y, const int n) {
    __local float2 a[MOST];
    const int row = get_group_id(0), t = get_local_id(0);
    const int bits = 31 - clz(n);
    for (int i = t; i < n; i += WG) {
        int r = 0;
        for (int b = 0; b < bits; ++b) r |= ((i >> b) & 1) << (bits - 1 - b);
        a[r] = x[row * n + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_ = 1; half_ < n; half_ <<= 1) {
        for (int m = t; m < n / 2; m += WG) {
            const int j = m & (half_ - 1), p = 2 * (m - j) + j, q = p + half_;
            const float w = -M_PI_F * j / half_;
            const float2 u = a[p], v = (float2)(a[q].x * cos(w) - a[q].y * sin(w), a[q].x * sin(w) + a[q].y * cos(w));
            a[p] = u + v;
            a[q] = u - v;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = t; i < n; i += WG) y[row * n + i] = a[i];
}
"""
DIRECT = """
__kernel void fft(__global const float2 *x, __global float2 *y, const int n) {
    const int k = get_global_id(0), row = get_global_id(1);
    float2 sum = (float2)(0);
    for (int i = 0; i < n; ++i) {
        const float w = -2.0f * M_PI_F * (float)((k * i) % n) / (float)n;
        const float2 v = x[row * n + i];
        sum += (float2)(v.x * cos(w) - v.y * sin(w), v.x * sin(w) + v.y * cos(w));
    }
    y[row * n + k] = sum;
}
"""


@hl.kernel(
    problem=dict(rows=12, n=256),
    work=lambda p: hl.Work(flops=5 * p.rows * p.n * np.log2(p.n), bytes=16 * p.rows * p.n),
    awkward=lambda p: [dict(rows=1, n=2), dict(rows=3, n=64), dict(rows=2, n=512)],
    tolerance=hl.Tolerance(terms=lambda p: 2 * p.n, absolute=1e-6),
    linear=("x",),
)
class fft:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.n, 2), "f4"), y=hl.empty((p.rows, p.n, 2)), n=np.int32(p.n)
        )  # fmt: skip

    def reference(p, x, y, n):
        f = np.fft.fft(x[..., 0].astype("f8") + 1j * x[..., 1], axis=1)
        return dict(y=np.stack([f.real, f.imag], axis=-1))

    def magnitude(p, x, y, n):
        return dict(y=np.broadcast_to(np.abs(x.astype("f8")).sum(axis=(1, 2), keepdims=True), x.shape))

    group = hl.OpenCL(
        LOCAL, "fft", dict(WG=[32]), defines=lambda p, c: dict(MOST=1024),
        global_size=lambda p, c: (p.rows * c.WG,), local_size=lambda p, c: (c.WG,),
    )  # fmt: skip
    direct = hl.OpenCL(DIRECT, "fft", global_size=lambda p, c: (p.n, p.rows))


MUTANTS = [
    ("group", "sign", "the inverse transform", "= -M_PI_F * j", "= M_PI_F * j"),
    ("group", "reversal", "bits are not reversed", "a[r] = x", "a[i] = x"),
    ("group", "last-stage", "the last stage is missing", "half_ < n; half_ <<= 1", "half_ < n / 2; half_ <<= 1"),
    ("group", "barrier", "no barrier between stages", "            a[q] = u - v;\n        }\n        barrier(CLK_LOCAL_MEM_FENCE);", "            a[q] = u - v;\n        }"),

    ("direct", "narrow", "angles in steps of 1/4096", "const float w = -2.0f * M_PI_F * (float)((k * i) % n) / (float)n;", "const float w = -2.0f * M_PI_F * rint(4096.0f * ((k * i) % n) / n) / 4100.0f;"),
    ("direct", "last", "the last term is lost", "i < n; ++i", "i < n - 1; ++i"),
    ("group", "zero", "the mean is removed", "for (int i = t; i < n; i += WG) y[row * n + i] = a[i];", "for (int i = t; i < n; i += WG) y[row * n + i] = i ? a[i] : (float2)(0);"),
]  # fmt: skip
