"""Softmax on PyTorch tensors; PyTorch is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

_computed: Callable[..., Any] | None = None
"""Function of the module that imports PyTorch, set once that is imported: an import statement costs half a microsecond in every call."""


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return the softmax of a tensor over a dimension, computed in float32; the result is contiguous.

    Raises:
        BadShapeError: there is no such dimension.
        BadArrayError: `x` is no floating-point tensor.
        MissingExtraError: PyTorch is not installed.
    """
    global _computed  # noqa: PLW0603
    if _computed is None:
        from hotloop.kernels.reduction.tensors import computed

        _computed = computed
    made: torch.Tensor = _computed(x, dim)
    return made


OPERATOR = Functions((softmax,), "hotloop.kernels.reduction.tensors")
