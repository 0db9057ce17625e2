"""Gluon kernels for CDNA: one tile of a matrix product on the MFMA units, without and with double-buffered LDS; a copy."""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from hotloop.offline_api import offline

HALVES = dict.fromkeys("abc", "*fp16")
SINGLES = dict.fromkeys("xy", "*fp32")


@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr, LAYOUT: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LAYOUT)
    gl.store(y + at, gl.load(x + at, mask=at < n), mask=at < n)


@gluon.jit
def gemm_base(
    a, b, c, k, lda, ldb, ldc,
    M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LOAD_A: gl.constexpr, LOAD_B: gl.constexpr,
    MATRIX: gl.constexpr, SHARED_A: gl.constexpr, SHARED_B: gl.constexpr, WIDTH: gl.constexpr,
):  # fmt: skip
    left: gl.constexpr = gl.DotOperandLayout(0, MATRIX, WIDTH)
    right: gl.constexpr = gl.DotOperandLayout(1, MATRIX, WIDTH)
    row_a = gl.program_id(0) * M + gl.arange(0, M, layout=gl.SliceLayout(1, LOAD_A))
    col_a = gl.arange(0, K, layout=gl.SliceLayout(0, LOAD_A))
    row_b = gl.arange(0, K, layout=gl.SliceLayout(1, LOAD_B))
    col_b = gl.program_id(1) * N + gl.arange(0, N, layout=gl.SliceLayout(0, LOAD_B))
    at_a = row_a[:, None] * lda + col_a[None, :]
    at_b = row_b[:, None] * ldb + col_b[None, :]
    store_a = gl.allocate_shared_memory(a.dtype.element_ty, (M, K), SHARED_A)
    store_b = gl.allocate_shared_memory(b.dtype.element_ty, (K, N), SHARED_B)
    total = gl.zeros((M, N), gl.float32, MATRIX)
    for _ in range(0, k, K):
        block_a = gl.amd.cdna3.buffer_load(a, at_a)
        block_b = gl.amd.cdna3.buffer_load(b, at_b)
        store_a.store(block_a)
        store_b.store(block_b)
        total = gl.amd.cdna3.mfma(store_a.load(left), store_b.load(right), total)
        at_a += K
        at_b += K * ldb
    row_c = gl.program_id(0) * M + gl.arange(0, M, layout=gl.SliceLayout(1, MATRIX))
    col_c = gl.program_id(1) * N + gl.arange(0, N, layout=gl.SliceLayout(0, MATRIX))
    gl.amd.cdna3.buffer_store(total.to(gl.float16), c, row_c[:, None] * ldc + col_c[None, :])


@gluon.jit
def gemm_double(
    a, b, c, k, lda, ldb, ldc,
    M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, LOAD_A: gl.constexpr, LOAD_B: gl.constexpr,
    MATRIX: gl.constexpr, SHARED_A: gl.constexpr, SHARED_B: gl.constexpr, WIDTH: gl.constexpr,
):  # fmt: skip
    left: gl.constexpr = gl.DotOperandLayout(0, MATRIX, WIDTH)
    right: gl.constexpr = gl.DotOperandLayout(1, MATRIX, WIDTH)
    row_a = gl.program_id(0) * M + gl.arange(0, M, layout=gl.SliceLayout(1, LOAD_A))
    col_a = gl.arange(0, K, layout=gl.SliceLayout(0, LOAD_A))
    row_b = gl.arange(0, K, layout=gl.SliceLayout(1, LOAD_B))
    col_b = gl.program_id(1) * N + gl.arange(0, N, layout=gl.SliceLayout(0, LOAD_B))
    at_a = row_a[:, None] * lda + col_a[None, :]
    at_b = row_b[:, None] * ldb + col_b[None, :]
    stores_a = gl.allocate_shared_memory(a.dtype.element_ty, (2, M, K), SHARED_A)
    stores_b = gl.allocate_shared_memory(b.dtype.element_ty, (2, K, N), SHARED_B)
    stores_a.index(0).store(gl.amd.cdna3.buffer_load(a, at_a))
    stores_b.index(0).store(gl.amd.cdna3.buffer_load(b, at_b))
    total = gl.zeros((M, N), gl.float32, MATRIX)
    steps = k // K
    for step in range(steps - 1):
        at_a += K
        at_b += K * ldb
        next_a = gl.amd.cdna3.buffer_load(a, at_a)
        next_b = gl.amd.cdna3.buffer_load(b, at_b)
        total = gl.amd.cdna3.mfma(
            stores_a.index(step % 2).load(left), stores_b.index(step % 2).load(right), total
        )  # fmt: skip
        stores_a.index((step + 1) % 2).store(next_a)
        stores_b.index((step + 1) % 2).store(next_b)
    last = (steps - 1) % 2
    total = gl.amd.cdna3.mfma(stores_a.index(last).load(left), stores_b.index(last).load(right), total)
    row_c = gl.program_id(0) * M + gl.arange(0, M, layout=gl.SliceLayout(1, MATRIX))
    col_c = gl.program_id(1) * N + gl.arange(0, N, layout=gl.SliceLayout(0, MATRIX))
    gl.amd.cdna3.buffer_store(total.to(gl.float16), c, row_c[:, None] * ldc + col_c[None, :])


def _layouts(version: int, shape: tuple[int, int, int], tile: tuple[int, int, int]) -> dict[str, object]:
    """Four waves of 64 as 2 x 2; eight halves of a row per lane and load."""
    m, n, k = tile
    wide = 8
    return {
        "M": m, "N": n, "K": k, "WIDTH": shape[2] // 4,
        "LOAD_A": gl.BlockedLayout([1, wide], [64 * wide // k, k // wide], [4, 1], [1, 0]),
        "LOAD_B": gl.BlockedLayout([1, wide], [max(1, 64 * wide // n), min(64, n // wide)], [4, 1], [1, 0]),
        "MATRIX": gl.amd.AMDMFMALayout(
            version=version, instr_shape=list(shape), transposed=True, warps_per_cta=[2, 2]
        ),
        "SHARED_A": gl.SwizzledSharedLayout(wide, 2, 4, [1, 0]),
        "SHARED_B": gl.SwizzledSharedLayout(wide, 2, 4, [1, 0]),
    }  # fmt: skip


for wave in (32, 64):
    layout = gl.BlockedLayout([4], [wave], [4], [0])
    offline(copy, name=f"copy_wave{wave}", signature=SINGLES, constexprs={"BLOCK": 1024, "LAYOUT": layout})
for version, shape in ((3, (16, 16, 16)), (4, (16, 16, 32))):
    for tile in ((128, 128, 32), (64, 128, 64)):
        chosen = _layouts(version, shape, tile)
        text = "x".join(map(str, tile))
        for kernel, kind in ((gemm_base, "base"), (gemm_double, "double")):
            offline(kernel, name=f"gemm_{kind}_cdna{version}_{text}", signature=HALVES, constexprs=chosen, num_warps=4)
