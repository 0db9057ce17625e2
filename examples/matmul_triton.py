"""A small matrix product in Triton, with bias and GELU: half precision in and out, sums in float32.

Starts with tiles that leave the matrix units idle and load one tile after the other. The loop arrives at larger tiles whose
operands are fetched some steps ahead, in an order that finds them in the second-level cache.

    hotloop check examples/matmul_triton.py --shape m=70,n=40,k=50     on any machine: Triton's interpreter
    hotloop optimize examples/matmul_triton.py                         on a GPU
"""

import numpy as np
import triton
import triton.language as tl

import hotloop as hl


@triton.jit
def matmul_kernel(
    c, a, b, bias, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):  # fmt: skip
    """Compute one tile of gelu(a·b + bias) in each program; tiles run down bands of GROUP rows."""
    tiles_m, tiles_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    tile = tl.program_id(0)
    first = tile // (GROUP * tiles_n) * GROUP
    height = min(tiles_m - first, GROUP)
    rows = (first + tile % (GROUP * tiles_n) % height) * BM + tl.arange(0, BM)
    columns = tile % (GROUP * tiles_n) // height * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        steps = start + tl.arange(0, BK)
        left = tl.load(a + rows[:, None] * k + steps[None, :], (rows[:, None] < m) & (steps[None, :] < k), 0.0)
        right = tl.load(b + steps[:, None] * n + columns[None, :], (steps[:, None] < k) & (columns[None, :] < n), 0.0)
        total = tl.dot(left, right, total)
    total += tl.load(bias + columns, columns < n, 0.0)[None, :].to(tl.float32)
    total = 0.5 * total * (1.0 + tl.erf(total * 0.7071067811865476))
    tl.store(c + rows[:, None] * n + columns[None, :], total, (rows[:, None] < m) & (columns[None, :] < n))


def gelu(x):
    """Return x·Φ(x) in float64, in pieces of some megabytes: few enough where each operation goes to a device."""
    pieces = np.array_split(x.reshape(-1), max(1, x.size // 2**19))
    return np.concatenate([gelu_of_piece(piece) for piece in pieces]).reshape(x.shape)


def gelu_of_piece(x):
    """Return x·Φ(x), with the error function by its series and, far out, by its continued fraction."""
    z = np.abs(x) / np.sqrt(2.0)
    near = np.minimum(z, 3.0)
    term = total = near
    square = -near * near
    for i in range(1, 46):
        term = term * square / i
        total = total + term / (2 * i + 1)
    far, depth = np.maximum(z, 3.0), 0.0
    for i in range(25, 0, -1):
        depth = i / 2 / (far + depth)
    tail = np.exp(-far * far) / (far + depth) / np.sqrt(np.pi)
    erf = np.where(z < 3.0, 2 / np.sqrt(np.pi) * total, 1.0 - tail)
    return 0.5 * x * (1.0 + np.sign(x) * erf)


@hl.kernel(
    problem=dict(m=1024, n=1024, k=1024),
    work=lambda p: hl.Work(flops=2 * p.m * p.n * p.k, bytes=2 * (p.m * p.k + p.k * p.n + p.m * p.n)),
    # Sums in float32 whose terms cancel: judged by the sum of magnitudes, of which GELU passes on at most 1.13 times.
    tolerance=hl.Tolerance(terms=lambda p: 8 + p.k, eps_dtype="float32", absolute=1e-6),
    awkward=lambda p: [dict(m=1, n=1, k=1), dict(m=67, n=33, k=129), dict(m=130, n=96, k=40)],
)
class matmul:
    def inputs(p, rng):
        def draw(*shape):
            return rng.standard_normal(shape).astype("f2")

        return dict(
            a=draw(p.m, p.k), b=draw(p.k, p.n), bias=draw(p.n), c=hl.empty((p.m, p.n), "f2"), m=p.m, n=p.n, k=p.k
        )

    def reference(p, a, b, bias, c, m, n, k):
        return dict(c=gelu(a.astype("f8") @ b.astype("f8") + bias.astype("f8")))

    def magnitude(p, a, b, bias, c, m, n, k):
        return dict(c=1.13 * (np.abs(a.astype("f8")) @ np.abs(b.astype("f8")) + np.abs(bias.astype("f8"))))

    triton = hl.Triton(
        matmul_kernel,
        params=dict(
            BM=[32, 64, 128], BN=[32, 64, 128, 256], BK=[32, 64], GROUP=[1, 4, 8],
            num_warps=[4, 8], num_stages=[1, 2, 3, 4],
        ),
        constraints=[lambda c: 4096 * c.num_warps >= c.BM * c.BN],
        args=("c", "a", "b", "bias", "m", "n", "k"),
        grid=lambda p, c: (-(-p.m // c.BM) * -(-p.n // c.BN),),
        techniques=dict(
            BM="larger-matrix-instruction", BN="larger-tile", BK="unroll", GROUP="rasterize", num_stages="prefetch"
        ),
        traits=lambda p, c, d: {
            "config.accumulators": c.BM * c.BN / (32 * c.num_warps),
            "config.reuse": c.BM * c.BN / (c.BM + c.BN),
            "config.local_bytes": 2 * (c.BM + c.BN) * c.BK * c.num_stages,
        },
    )  # fmt: skip
