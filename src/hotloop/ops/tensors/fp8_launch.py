"""The launch of the product of 8-bit floats on checked tensors."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import torch

from hotloop.dispatch import counters
from hotloop.kernels.gemm import fp8
from hotloop.kernels.gemm.products import ACTIVATIONS
from hotloop.kernels.gemm_fp8.triton import scaled

if TYPE_CHECKING:
    from hotloop.kernels.gemm.fp8 import Plan

_STRIP = 64
"""Columns of 16 bits in the widest row that the copy engine swizzles."""
_BLOCKS = 2
"""Blocks of k that the instruction adds up before float32 does."""

_Three = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def run(
    plan: Plan, units: int, a: torch.Tensor, w: torch.Tensor, scale_a: torch.Tensor, scale_b: torch.Tensor,
    bias: torch.Tensor | None, function: str, c: torch.Tensor, *, fast: bool,
) -> torch.Tensor:  # fmt: skip
    """Write act(a · wᵀ · scales + bias) to `c`; a and w are row-major, `units` are the device's multiprocessors."""
    early = chains(a.device)
    shared: dict[str, Any] = {
        "ROWS": scale_a.numel() > 1, "COLUMNS": scale_b.numel() > 1, "BIAS": bias is not None,
        "ACT": ACTIVATIONS.index(function), "CHAIN": int(early), "num_warps": plan.warps,
        **({"launch_pdl": True} if early else {}),
    }  # fmt: skip
    factors = (c if bias is None else bias, scale_a, scale_b)
    with torch.cuda.device(a.device):
        if plan.kernel == fp8.FEW:
            _few(plan, (a, w, c), factors, {**shared, "EXACT": not fast, "WIDEN": False})
        elif plan.kernel == fp8.MANY:
            _many(plan, units, (a, w, c), factors, {**shared, "EXACT": not fast, "WIDEN": False})
        else:
            _hopper(plan, units, (a, w, c), factors, {**shared, "EXACT": 0 if fast else _BLOCKS})
    return c


def _tiles(plan: Plan, a: torch.Tensor, w: torch.Tensor) -> int:
    return int(-(-a.shape[0] // plan.rows) * -(-w.shape[0] // plan.columns))


def _many(plan: Plan, units: int, operands: _Three, factors: _Three, shared: dict[str, Any]) -> None:
    a, w, c = operands
    programs = min(units, _tiles(plan, a, w))
    scaled.scaled[(programs,)](
        described(a, plan.rows, plan.depth), described(w, plan.columns, plan.depth),
        described(c, plan.rows, plan.columns), *factors, a.shape[0], w.shape[0], a.shape[1],
        BM=plan.rows, BN=plan.columns, BK=plan.depth, GROUP=plan.group, PROGRAMS=programs, num_stages=plan.stages,
        **shared,
    )  # fmt: skip


def _hopper(plan: Plan, units: int, operands: _Three, factors: _Three, shared: dict[str, Any]) -> None:
    from hotloop.kernels.gemm_fp8.gluon import scaled_hopper

    a, w, c = operands
    programs = min(units, _tiles(plan, a, w))
    scaled_hopper.scaled_hopper[(programs,)](
        laid(a, plan.rows, plan.depth), laid(w, plan.columns, plan.depth), laid(c, plan.rows // 2, _STRIP), *factors,
        a.shape[0], w.shape[0], a.shape[1], GROUP=plan.group, PROGRAMS=programs, STAGES=plan.stages, BUFFERS=1, **shared,
    )  # fmt: skip


def _few(plan: Plan, operands: _Three, factors: _Three, shared: dict[str, Any]) -> None:
    a, w, c = operands
    tiles, work, arrived = _tiles(plan, a, w), c, c
    if plan.splits > 1:
        size = tiles * plan.splits * plan.rows * plan.columns
        work = torch.empty((size,), dtype=torch.float32, device=a.device)
        arrived = counters.zeros(a.device, tiles, "fp8")
    scaled.scaled_few[(tiles, plan.splits)](
        described(a, plan.rows, plan.depth), described(w, plan.columns, plan.depth), c, *factors, work, arrived,
        a.shape[0], w.shape[0], a.shape[1], BM=plan.rows, BN=plan.columns, BK=plan.depth, SPLITS=plan.splits,
        num_stages=plan.stages, **shared,
    )  # fmt: skip


@cache
def chains(device: torch.device) -> bool:
    """Tell whether a device knows launches that depend on the one before: CUDA programming guide, from 9.0 on."""
    return bool(device.type == "cuda" and torch.cuda.get_device_capability(device) >= (9, 0))


def _strides(x: torch.Tensor) -> list[int]:
    """Return strides in elements; that of a single row means nothing and may be anything."""
    return [x.shape[1] if x.shape[0] == 1 else x.stride(0), 1]


def described(x: torch.Tensor, rows: int, columns: int) -> Any:  # noqa: ANN401
    """Return Triton's descriptor of a row-major matrix."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    return TensorDescriptor(x, list(x.shape), _strides(x), [rows, columns])


def laid(x: torch.Tensor, rows: int, columns: int) -> Any:  # noqa: ANN401
    """Return Gluon's descriptor with the widest swizzle that the block allows."""
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    return TensorDescriptor(x, list(x.shape), _strides(x), [rows, columns], _layout(columns, x.element_size()))


@cache
def _layout(columns: int, element: int) -> Any:  # noqa: ANN401
    from triton.experimental.gluon.language import NVMMASharedLayout

    width = next(width for width in (128, 64, 32) if columns * element % width == 0)
    return NVMMASharedLayout(width, 8 * element)
