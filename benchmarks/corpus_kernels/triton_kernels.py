"""Triton kernels whose machine code differs in kind: matrix product, row softmax, layer norm, attention, reduction."""

import triton
import triton.language as tl

from hotloop.offline_api import offline

SIGNATURES = {
    "matmul": dict.fromkeys("abc", "*fp16"),
    "softmax": dict.fromkeys("xy", "*fp32"),
    "layernorm": dict.fromkeys(("x", "y", "weight", "bias"), "*fp16"),
    "attention": dict.fromkeys("qkvo", "*fp16"),
    "reduction": dict.fromkeys("xy", "*fp32"),
}


@triton.jit
def matmul(
    a, b, c, m, n, k, lda, ldb, ldc,
    TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    pid, tiles_m, tiles_n = tl.program_id(0), tl.cdiv(m, TILE_M), tl.cdiv(n, TILE_N)
    band = pid // (GROUP * tiles_n)
    rows = min(tiles_m - band * GROUP, GROUP)
    tile_m = band * GROUP + pid % rows
    tile_n = (pid % (GROUP * tiles_n)) // rows
    at_m = (tile_m * TILE_M + tl.arange(0, TILE_M)) % m
    at_n = (tile_n * TILE_N + tl.arange(0, TILE_N)) % n
    at_k = tl.arange(0, TILE_K)
    from_a = a + at_m[:, None] * lda + at_k[None, :]
    from_b = b + at_k[:, None] * ldb + at_n[None, :]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for step in range(tl.cdiv(k, TILE_K)):
        left = k - step * TILE_K
        block_a = tl.load(from_a, mask=at_k[None, :] < left, other=0.0)
        block_b = tl.load(from_b, mask=at_k[:, None] < left, other=0.0)
        total = tl.dot(block_a, block_b, total)
        from_a += TILE_K
        from_b += TILE_K * ldb
    out_m, out_n = tile_m * TILE_M + tl.arange(0, TILE_M), tile_n * TILE_N + tl.arange(0, TILE_N)
    inside = (out_m[:, None] < m) & (out_n[None, :] < n)
    tl.store(c + out_m[:, None] * ldc + out_n[None, :], total.to(tl.float16), mask=inside)


@triton.jit
def softmax(x, y, columns, stride, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * stride + at, powers / tl.sum(powers, axis=0), mask=at < columns)


@triton.jit
def layernorm(x, y, weight, bias, columns, stride, eps: float, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * stride + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(values, axis=0) / columns
    centred = tl.where(inside, values - mean, 0.0)
    scale = tl.rsqrt(tl.sum(centred * centred, axis=0) / columns + eps)
    w = tl.load(weight + at, mask=inside, other=0.0).to(tl.float32)
    b = tl.load(bias + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + row * stride + at, (centred * scale * w + b).to(tl.float16), mask=inside)


@triton.jit
def attention(
    q, k, v, o, scale: float, length,
    HEAD: tl.constexpr, TILE_Q: tl.constexpr, TILE_K: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    first, head = tl.program_id(0) * TILE_Q, tl.program_id(1)
    base = head.to(tl.int64) * length * HEAD
    at_q, at_d = first + tl.arange(0, TILE_Q), tl.arange(0, HEAD)
    query = tl.load(q + base + at_q[:, None] * HEAD + at_d[None, :], mask=at_q[:, None] < length, other=0.0)
    peak = tl.full((TILE_Q,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((TILE_Q,), dtype=tl.float32)
    out = tl.zeros((TILE_Q, HEAD), dtype=tl.float32)
    last = min(first + TILE_Q, length) if CAUSAL else length
    for start in range(0, last, TILE_K):
        at_k = start + tl.arange(0, TILE_K)
        key = tl.load(k + base + at_k[None, :] * HEAD + at_d[:, None], mask=at_k[None, :] < length, other=0.0)
        score = tl.dot(query, key) * (scale * 1.44269504)
        seen = at_k[None, :] < length
        if CAUSAL:
            seen = seen & (at_q[:, None] >= at_k[None, :])
        score = tl.where(seen, score, -float("inf"))
        new_peak = tl.maximum(peak, tl.max(score, axis=1))
        power = tl.exp2(score - new_peak[:, None])
        shrink = tl.exp2(peak - new_peak)
        total = total * shrink + tl.sum(power, axis=1)
        value = tl.load(v + base + at_k[:, None] * HEAD + at_d[None, :], mask=at_k[:, None] < length, other=0.0)
        out = tl.dot(power.to(tl.float16), value, out * shrink[:, None])
        peak = new_peak
    out = out / total[:, None]
    tl.store(o + base + at_q[:, None] * HEAD + at_d[None, :], out.to(tl.float16), mask=at_q[:, None] < length)


@triton.jit
def reduction(x, y, n, BLOCK: tl.constexpr, STEPS: tl.constexpr):
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    first = tl.program_id(0) * BLOCK * STEPS
    for step in range(STEPS):
        at = first + step * BLOCK + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < n, other=0.0)
    tl.atomic_add(y, tl.sum(total, axis=0))


for tile_m, tile_n, tile_k, warps, stages in (
    (128, 128, 64, 4, 2), (128, 128, 32, 8, 3), (256, 128, 64, 8, 2), (64, 64, 32, 4, 1), (128, 64, 32, 4, 2),
):  # fmt: skip
    offline(
        matmul,
        signature=SIGNATURES["matmul"],
        name=f"matmul_{tile_m}x{tile_n}x{tile_k}_w{warps}_s{stages}",
        constexprs={"TILE_M": tile_m, "TILE_N": tile_n, "TILE_K": tile_k, "GROUP": 8},
        num_warps=warps,
        num_stages=stages,
    )
for block, warps in ((1024, 4), (4096, 8)):
    for kernel, more in ((softmax, {}), (layernorm, {}), (reduction, {"STEPS": 8})):
        offline(
            kernel,
            name=f"{kernel.__name__}_{block}",
            signature=SIGNATURES[kernel.__name__],
            constexprs={"BLOCK": block, **more},
            num_warps=warps,
        )
for head, tile_q, tile_k, causal, warps in ((64, 64, 64, True, 4), (128, 128, 64, False, 8)):
    offline(
        attention,
        name=f"attention_{head}_{tile_q}x{tile_k}" + ("_causal" if causal else ""),
        signature=SIGNATURES["attention"],
        constexprs={"HEAD": head, "TILE_Q": tile_q, "TILE_K": tile_k, "CAUSAL": causal},
        num_warps=warps,
    )
