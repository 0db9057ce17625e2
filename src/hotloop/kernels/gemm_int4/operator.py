"""Products with 4-bit weights on PyTorch tensors; PyTorch is imported when one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    import torch


def pack_int4(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a matrix in 4 bits, and its scales, for `gemm_int4`.

    Args:
        weight: tensor [k, n]; k is a multiple of 128, n of the columns of a block.

    Each 128 numbers below each other share a scale and are rounded to the nearest of its 15 steps.

    Raises:
        BadShapeError: k or n is no multiple of a block.
        BadArrayError: `weight` is no matrix of floats.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.kernels.gemm_int4 import tensors

    return tensors.pack_int4(weight)


def gemm_int4(
    a: torch.Tensor,
    stored: torch.Tensor,
    scales: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
    activation: str = "none",
) -> torch.Tensor:
    """Return ``activation(a · W + bias)`` for a matrix W in 4 bits.

    Args:
        a: tensor [m, k] of float16 or bfloat16.
        stored: W as `pack_int4` returned it.
        scales: its scales.
        bias: n elements.
        activation: as in `hotloop.ops.gemm`.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: types or devices differ, or the weights are not as `pack_int4` makes them.
        UnknownNameError: no such activation.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.kernels.gemm_int4.tensors import gemm_int4 as formed

    operator, call = formed(a, stored, scales, bias=bias, activation=activation)
    return operator(call)


OPERATOR = Functions((gemm_int4,), "hotloop.kernels.gemm_int4.tensors", helpers=(pack_int4,))
