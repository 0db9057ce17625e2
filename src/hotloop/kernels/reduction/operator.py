"""Softmax on PyTorch tensors; PyTorch is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    import torch


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return the softmax of a tensor over a dimension, computed in float32; the result is contiguous.

    Raises:
        BadShapeError: there is no such dimension.
        BadArrayError: `x` is no floating-point tensor.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.kernels.reduction.tensors import softmax as formed

    operator, call = formed(x, dim)
    return operator(call)


OPERATOR = Functions((softmax,), "hotloop.kernels.reduction.tensors")
