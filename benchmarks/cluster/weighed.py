"""A kernel with the arrays, cases and parameters of an n-body kernel for the fake GPU of the tests, whose launches cost little: see `driver.py`.

They are those of benchmarks/gpu/nbody.py, written again: a kernel file stands alone and imports no other.
"""

# mypy: disable-error-code="no-untyped-def, misc, attr-defined"
from __future__ import annotations

import numpy as np

import hotloop as hl

SOURCE = r"""
/*fake weighed: out[: 3 * n].reshape(n, 3)[:] = bodies[: 4 * n].reshape(n, 4)[:, :3] * bodies[: 4 * n].reshape(n, 4)[:, 3:] * np.float32(1 + (FAST + 2 * (UNROLL % 3)) / 8388608)*/
/*time weighed: n * (9 + abs(np.log2(THREADS / 128)) + 2 / EACH + abs(np.log2(TILE / 256)) / 3 + 3 / UNROLL - 2 * FAST + 0.2 * EACH * UNROLL)*/
extern "C" __global__ void weighed(const float4 *bodies, float *out, const int n) {}
"""


@hl.kernel(
    problem=dict(n=4096),
    work=lambda p: hl.Work(flops=p.n, bytes=28 * p.n),
    tolerance=hl.Tolerance(terms=lambda p: 32 + p.n, absolute=2e-4),
    awkward=lambda p: [dict(n=1), dict(n=63), dict(n=517)],
)
class weighed:
    def inputs(p, rng):
        bodies = rng.standard_normal((p.n, 4)).astype("f4")
        bodies[:, 3] = np.abs(bodies[:, 3])
        return dict(bodies=bodies, out=hl.empty((p.n, 3)), n=np.int32(p.n))

    def reference(p, bodies, out, n):
        return dict(out=bodies[:, :3].astype("f8") * bodies[:, 3:])

    def magnitude(p, bodies, out, n):
        return dict(out=np.abs(bodies[:, :3].astype("f8")) * bodies[:, 3:])

    cuda = hl.CUDA(
        SOURCE,
        "weighed",
        params=dict(THREADS=[32, 64, 128, 256, 512], TILE=[64, 128, 256, 512], EACH=[1, 2, 4, 8], UNROLL=[1, 2, 4, 8], FAST=[0, 1]),
        start=dict(THREADS=64, TILE=64),
        args=("bodies", "out", "n"),
        defines=lambda p, c: dict(c),
        grid=lambda p, c: (-(-p.n // (c.THREADS * c.EACH)),),
        block=lambda p, c: (c.THREADS,),
    )  # fmt: skip
