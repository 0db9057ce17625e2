"""Softmax on PyTorch tensors; PyTorch is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

_formed: Callable[..., Any] | None = None
"""Of the module that imports PyTorch, once that is imported: an import statement takes half a microsecond of every call."""


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return the softmax of a tensor over a dimension, computed in float32; the result is contiguous.

    Raises:
        BadShapeError: there is no such dimension.
        BadArrayError: `x` is no floating-point tensor.
        MissingExtraError: PyTorch is not installed.
    """
    global _formed  # noqa: PLW0603
    if _formed is None:
        from hotloop.kernels.reduction.tensors import softmax as formed

        _formed = formed
    operator, call = _formed(x, dim)
    return operator(call)


OPERATOR = Functions((softmax,), "hotloop.kernels.reduction.tensors")
