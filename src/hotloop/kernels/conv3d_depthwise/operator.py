"""Depthwise conv3d on PyTorch tensors; PyTorch is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch

_formed: Callable[..., Any] | None = None
"""Of the module that imports PyTorch, once that is imported: an import statement takes half a microsecond of every call."""


def depthwise_conv3d(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None = None,
    *,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
) -> torch.Tensor:
    """Return the three-dimensional convolution of each channel by itself, as ``conv3d(..., groups=channels)`` does.

    Args:
        x: tensor [n, channels, depth, height, width].
        weight: tensor [channels · multiplier, 1, kd, kh, kw].
        bias: channels · multiplier elements, added before the result is rounded.
        stride: elements between windows; one number, or three for depth, height and width.
        padding: zeros on both sides, likewise.
        dilation: elements between taps, likewise.

    The result is contiguous.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no floating-point tensor, or types or devices differ.
        MissingExtraError: PyTorch is not installed.
    """
    global _formed  # noqa: PLW0603
    if _formed is None:
        from hotloop.kernels.conv3d_depthwise.tensors import depthwise_conv3d as formed

        _formed = formed
    operator, call = _formed(x, weight, bias, stride=stride, padding=padding, dilation=dilation)
    return operator(call)


OPERATOR = Functions((depthwise_conv3d,), "hotloop.kernels.conv3d_depthwise.tensors")
