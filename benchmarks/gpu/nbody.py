"""Accelerations of bodies by their masses, softened: a small CUDA kernel for `pace.py`, bound by arithmetic, with little data.

PYTHONPATH=src python -m hotloop optimize benchmarks/gpu/nbody.py
"""

# mypy: disable-error-code="no-untyped-def, misc, attr-defined"
from __future__ import annotations

import numpy as np

import hotloop as hl

SOURCE = r"""
extern "C" __global__ void nbody(const float4 *bodies, float *out, const int n)
{
    __shared__ float4 tile[TILE];
    float4 me[EACH];
    float sum[EACH][3] = {};
    const int first = (blockIdx.x * THREADS + threadIdx.x) * EACH;
    for (int e = 0; e < EACH; ++e)
        me[e] = bodies[min(first + e, n - 1)];
    for (int base = 0; base < n; base += TILE) {
        for (int t = threadIdx.x; t < TILE; t += THREADS)
            tile[t] = base + t < n ? bodies[base + t] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
#pragma unroll UNROLL
        for (int j = 0; j < TILE; ++j) {
            const float4 other = tile[j];
            for (int e = 0; e < EACH; ++e) {
                const float x = other.x - me[e].x, y = other.y - me[e].y, z = other.z - me[e].z;
                const float q = x * x + y * y + z * z + 0.01f;
                const float f = FAST ? other.w * rsqrtf(q) * rsqrtf(q) * rsqrtf(q) : other.w / (q * sqrtf(q));
                sum[e][0] += f * x;
                sum[e][1] += f * y;
                sum[e][2] += f * z;
            }
        }
        __syncthreads();
    }
    for (int e = 0; e < EACH; ++e)
        if (first + e < n)
            for (int a = 0; a < 3; ++a)
                out[3 * (first + e) + a] = sum[e][a];
}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=20 * p.n * p.n, bytes=28 * p.n),
    tolerance=hl.Tolerance(terms=lambda p: 32 + p.n, absolute=2e-4),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=517)],
)
class nbody:
    def inputs(p, rng):
        bodies = rng.standard_normal((p.n, 4)).astype("f4")
        bodies[:, 3] = np.abs(bodies[:, 3])
        return dict(bodies=bodies, out=hl.empty((p.n, 3)), n=np.int32(p.n))

    def reference(p, bodies, out, n):
        return dict(out=pulls(bodies, lambda x: x))

    def magnitude(p, bodies, out, n):
        return dict(out=pulls(bodies, np.abs))

    cuda = hl.CUDA(
        SOURCE,
        "nbody",
        params=dict(THREADS=[32, 64, 128, 256, 512], TILE=[64, 128, 256, 512], EACH=[1, 2, 4, 8], UNROLL=[1, 2, 4, 8], FAST=[0, 1]),
        start=dict(THREADS=64, TILE=64),
        args=("bodies", "out", "n"),
        defines=lambda p, c: dict(c),
        grid=lambda p, c: (-(-p.n // (c.THREADS * c.EACH)),),
        block=lambda p, c: (c.THREADS,),
    )  # fmt: skip


def pulls(bodies, term):
    """Return the sums of a function of all pulls on each body, in float64, some hundred bodies at a time."""
    places, masses = bodies[:, :3].astype("f8"), bodies[:, 3].astype("f8")
    out = np.zeros((len(bodies), 3))
    for begin in range(0, len(bodies), 512):
        apart = places[None] - places[begin : begin + 512, None]
        squares = (apart * apart).sum(axis=2) + float(np.float32(0.01))
        out[begin : begin + 512] = term(apart * (masses / squares**1.5)[:, :, None]).sum(axis=1)
    return out
