"""Matrix multiplication of 16-bit activations with 4-bit weights in Triton: memory-bound, so the weights set the pace.

The product is computed transposed, Cᵀ = Wᵀ · Aᵀ: weights become the left operand, which ``wgmma`` takes from registers, so a
weight goes from memory to its lane, is widened there by six instructions for four, and never meets shared memory again.
Each group's product is scaled in float32. Slices of k are added by the program that arrives last, in order.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, possibly-undefined"
# ruff: noqa: ANN001, ANN201, N803, N806 - Triton: constants are capital, types are the compiler's
from __future__ import annotations

import triton
import triton.language as tl

from hotloop.kernels.gemm.shared.jit import activate
from hotloop.kernels.gemm.shared.slices_jit import gathered, hand_over, shelf

DEPTH = tl.constexpr(64)
BLOCK = tl.constexpr(4096)
"""Bytes of 64 columns and 128 rows of k, see `hotloop.kernels.gemm_int4.storage`."""


@triton.jit
def spread(packed, dtype: tl.constexpr, FAST: tl.constexpr):
    """Return the low and the high nibbles of bytes less 8, as 16-bit floats.

    A nibble under the exponent of 128 (bfloat16) or 1024 (float16) is that number plus the nibble, exactly.
    """
    if FAST:
        if dtype == tl.bfloat16:
            low, high = tl.inline_asm_elementwise(
                """{
                .reg .b32 a, b, one, less;
                mov.b32 one, 0x3F803F80;
                mov.b32 less, 0xC308C308;
                and.b32 a, $4, 0x0F0F0F0F;
                shr.u32 b, $4, 4;
                and.b32 b, b, 0x0F0F0F0F;
                prmt.b32 $0, a, 0x43434343, 0x4140;
                prmt.b32 $1, a, 0x43434343, 0x4342;
                prmt.b32 $2, b, 0x43434343, 0x4140;
                prmt.b32 $3, b, 0x43434343, 0x4342;
                fma.rn.bf16x2 $0, $0, one, less;
                fma.rn.bf16x2 $1, $1, one, less;
                fma.rn.bf16x2 $2, $2, one, less;
                fma.rn.bf16x2 $3, $3, one, less;
                }""",
                "=&r,=&r,=&r,=&r,r", [packed], dtype=(tl.bfloat16, tl.bfloat16), is_pure=True, pack=4,
            )  # fmt: skip
        else:
            low, high = tl.inline_asm_elementwise(
                """{
                .reg .b32 a, b, one, less;
                mov.b32 one, 0x3C003C00;
                mov.b32 less, 0xE408E408;
                and.b32 a, $4, 0x0F0F0F0F;
                shr.u32 b, $4, 4;
                and.b32 b, b, 0x0F0F0F0F;
                prmt.b32 $0, a, 0x64646464, 0x4140;
                prmt.b32 $1, a, 0x64646464, 0x4342;
                prmt.b32 $2, b, 0x64646464, 0x4140;
                prmt.b32 $3, b, 0x64646464, 0x4342;
                fma.rn.f16x2 $0, $0, one, less;
                fma.rn.f16x2 $1, $1, one, less;
                fma.rn.f16x2 $2, $2, one, less;
                fma.rn.f16x2 $3, $3, one, less;
                }""",
                "=&r,=&r,=&r,=&r,r", [packed], dtype=(tl.float16, tl.float16), is_pure=True, pack=4,
            )  # fmt: skip
    else:
        low = ((packed & 15).to(tl.float32) - 8.0).to(dtype)
        high = ((packed >> 4).to(tl.float32) - 8.0).to(dtype)
    return low, high


@triton.jit
def settle(flat, BN: tl.constexpr):
    """Return weights in stored order as [BN columns of W, 64 rows of k]; in registers nothing moves."""
    parts = tl.reshape(flat, (BN // 64, 2, 4, 8, 4, 2, 2, 2, 2))
    return tl.reshape(tl.permute(parts, (0, 2, 7, 3, 1, 5, 6, 4, 8)), (BN, 64))


@triton.jit(do_not_specialize=["m"])
def weights4(
    a, w, scale, c, bias, work, arrived, m, n, k, stride,
    BM: tl.constexpr, BN: tl.constexpr, SPLITS: tl.constexpr, BIAS: tl.constexpr, ACT: tl.constexpr, FAST: tl.constexpr,
    WIDEN: tl.constexpr,
):  # fmt: skip
    """Multiply one tile's slice of k; a has rows of `stride` elements, w and scale are those of `storage`.

    Launch on (tiles, SPLITS) with four warps; n is a multiple of BN. `work` holds SPLITS · tiles blocks of BN · BM float32,
    `arrived` one zero per tile, which is zero again afterwards. WIDEN: multiply in float32, because Triton's interpreter (seen
    in 3.9) multiplies the bits of bfloat16 as integers.
    """
    DTYPE: tl.constexpr = tl.float32 if WIDEN else a.dtype.element_ty
    tiles_n = tl.cdiv(n, BN)
    tile, slice_ = tl.program_id(0), tl.program_id(1)
    row, column = tile // tiles_n, tile % tiles_n
    rows, columns = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN)
    inner = tl.arange(0, DEPTH)
    groups = k // 128
    each = tl.cdiv(groups, SPLITS)
    whole = (n // 64).to(tl.int64) * BLOCK
    weights = w + column.to(tl.int64) * (BN // 64 * BLOCK) + tl.arange(0, BN // 64 * BLOCK)
    given = a + rows[None, :].to(tl.int64) * stride + inner[:, None]
    present = (rows < m)[None, :]
    factors = scale + columns
    total = tl.zeros((BN, BM), dtype=tl.float32)
    begin, end = slice_ * each, min((slice_ + 1) * each, groups)
    # one ahead by hand: these loads are too narrow for the copies that run ahead; two ahead Triton would copy nothing so
    factor = tl.load(factors + min(begin, groups - 1) * n)
    for group in range(begin, end):
        packed = tl.load(weights + group * whole)
        left = tl.load(given + group * 128, mask=present, other=0.0)
        right = tl.load(given + group * 128 + 64, mask=present, other=0.0)
        later = tl.load(factors + min(group + 1, groups - 1) * n)
        low, high = spread(packed, DTYPE, FAST)
        if WIDEN:
            left, right = left.to(DTYPE), right.to(DTYPE)
        product = tl.dot(settle(low, BN), left)
        product = tl.dot(settle(high, BN), right, product)
        total += product * factor.to(tl.float32)[:, None]
        factor = later
    total = tl.trans(total)
    last = True
    if SPLITS > 1:
        space = shelf(work, tile, BM, BN, SPLITS)
        last = hand_over(total, space, arrived, tile, slice_, SPLITS)
    if last:
        if SPLITS > 1:  # all loads at once where a slice takes few registers
            total = gathered(space, arrived, tile, BM, BN, SPLITS, AT_ONCE=BM * BN <= 1024)
        if BIAS:
            total += tl.load(bias + columns).to(tl.float32)[None, :]
        target = c + rows[:, None].to(tl.int64) * n + columns[None, :]
        tl.store(target, activate(total, ACT).to(c.dtype.element_ty), mask=rows[:, None] < m)
