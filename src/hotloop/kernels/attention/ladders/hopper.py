"""The attention ladder on NVIDIA cards: shapes, launches of the Triton and Gluon kernels, reference and peers.

Arrays are [1, heads, length, size] in bfloat16. What a card module offers is `hotloop.app.ladder.card.child.Card`.
"""

# mypy: disable-error-code="no-untyped-call"
# ruff: noqa: ANN401 - arrays are PyTorch's, or stand-ins with a shape where nothing is launched
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hotloop.kernels.attention.plan import ROWS, Config, Plain
from hotloop.model.problem import Work

Launch = Callable[[], None]
_SLICE = 1024
"""Queries that are compared at once: a full matrix of scores in float64 would not fit."""
PEERS = ("cuDNN", "flash")
_HALF_ULP = 2.0**-8
"""Of bfloat16, which weights and result are rounded to."""


def shapes(sizes: Mapping[str, Any]) -> tuple[tuple[tuple[int, ...], str], ...]:
    """Return shape and type of Q, K, V and O."""
    shape = (1, int(sizes["heads"]), int(sizes["length"]), int(sizes["size"]))
    return ((shape, "bfloat16"),) * 4


def work(sizes: Mapping[str, Any]) -> Work:
    """Return 4·heads·length²·size operations, half of them under a causal mask, and every array moved once."""
    heads, length, size = (int(sizes[name]) for name in ("heads", "length", "size"))
    return Work(4.0 * heads * length**2 * size / (2 if sizes["causal"] else 1), 8.0 * heads * length * size)


def bind(
    shop: Any, kernel: str, config: Mapping[str, Any], sizes: Mapping[str, Any], arrays: tuple[Any, ...]
) -> Launch:
    """Return a launch of one kernel with fixed arguments."""
    causal = bool(sizes["causal"])
    if kernel == "plain":
        return _plain(shop, Plain(**config), arrays, causal=causal)
    return _hopper(shop, Config(**config), arrays, causal=causal)


def expected(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the first and the last head's result and the bound of its error, both float64.

    The bound has one rounding of the result, independent roundings of the weights, and float32 sums.
    """
    q, k, v = (x[0].double() for x in arrays[:3])
    wants, bounds = [], []
    for head in _heads(sizes):
        for first in range(0, q.shape[1], _SLICE):
            left = q[head, first : first + _SLICE]
            scores = left @ k[head].T * q.shape[2] ** -0.5
            if sizes["causal"]:
                rows = torch.arange(first, first + len(left), device=q.device)[:, None]
                scores.masked_fill_(torch.arange(k.shape[1], device=q.device) > rows, float("-inf"))
            weights = scores.softmax(-1)
            want, spread = weights @ v[head], (weights**2 @ v[head] ** 2).sqrt()
            wants.append(want)
            bounds.append(_HALF_ULP * (want.abs() + 2 * spread) + _HALF_ULP / 4 * (weights @ v[head].abs()) + 1e-30)
    return torch.cat(wants), torch.cat(bounds)


def error(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...], known: tuple[Any, Any]) -> float:
    """Return the largest error over its bound of two heads; infinite for NaN anywhere."""
    out = arrays[-1]
    if not bool(torch.isfinite(out).all()):
        return float("inf")
    found = torch.cat([out[0, head].double() for head in _heads(sizes)])
    return float(((found - known[0]).abs() / known[1]).max())


def peers(torch: Any, sizes: Mapping[str, Any]) -> dict[str, Callable[[tuple[Any, ...]], object]]:
    """Return cuDNN's and the flash kernels of PyTorch."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def through(backend: Any) -> Callable[[tuple[Any, ...]], object]:
        def call(arrays: tuple[Any, ...]) -> object:
            with sdpa_kernel(backend):
                return torch.nn.functional.scaled_dot_product_attention(*arrays[:3], is_causal=bool(sizes["causal"]))

        return call

    named = {"cuDNN": SDPBackend.CUDNN_ATTENTION, "flash": SDPBackend.FLASH_ATTENTION}
    return {name: through(backend) for name, backend in named.items()}


def _heads(sizes: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(sorted({0, int(sizes["heads"]) - 1}))


def _plain(shop: Any, config: Plain, arrays: tuple[Any, ...], *, causal: bool) -> Launch:
    from triton.tools.tensor_descriptor import TensorDescriptor

    from hotloop.kernels.attention.triton import kernel as jit

    _, heads, length, size = arrays[0].shape
    blocks = (config.rows, config.keys, config.keys, config.rows)
    tensors = [
        TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, block, size])
        for x, block in zip(arrays, blocks, strict=True)
    ]
    grid = (-(-length // config.rows), heads)
    return lambda: shop.run(
        jit.forward, grid, *tensors, None, size**-0.5, heads, 1, length, length, BM=config.rows, BN=config.keys, D=size,
        CAUSAL=causal, LSE=False, KEEP=config.keep, EXIT=config.exit, num_warps=config.warps, num_stages=config.stages,
        enable_fp_fusion=True,
    )  # fmt: skip


def _hopper(shop: Any, config: Config, arrays: tuple[Any, ...], *, causal: bool) -> Launch:
    from hotloop.kernels.attention.gluon import kernel as gluon

    _, heads, length, size = arrays[0].shape
    tiles = -(-length // config.rows) * heads
    programs = min(tiles, shop.multiprocessors) if config.resident else tiles
    counter = shop.zeros((1,), "int32") if tiles > programs else None
    tensors = [_laid(x, block) for x, block in zip(arrays, (ROWS, config.keys, config.keys, ROWS), strict=True)]

    def launch() -> None:
        if counter is not None:
            shop.clear(counter)
        shop.run(
            gluon.forward, (programs,), *tensors, None, None, None, None, None, counter, None, None, size**-0.5, 1, heads, 1,
            length, length, 0, ROWS=ROWS, GROUPS=config.groups, BN=config.keys, D=size, STAGES=config.stages,
            BAND=config.band, OVERLAP=config.overlap, STAGGER=config.stagger, CAUSAL=causal, VARLEN=False, LSE=False,
            SHARE=config.share, DYNAMIC=counter is not None, REGISTERS=config.registers, SPARE=config.spare, num_warps=4,
            enable_fp_fusion=True,
        )  # fmt: skip

    return launch


def _laid(x: Any, rows: int) -> Any:
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    block = [1, 1, rows, x.shape[3]]
    layout = gl.NVMMASharedLayout.get_default_for(block, gl.bfloat16)
    return TensorDescriptor(x, list(x.shape), list(x.stride()), block, layout)
