"""Operations of neural networks on PyTorch tensors; PyTorch is imported when one is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = False, scale: float | None = None
) -> torch.Tensor:
    """Return softmax(q·kᵀ·scale + mask)·v.

    Args:
        q: tensor [batch, heads, length, size].
        k: tensor [batch, kv heads, length of keys, size]; kv heads divide heads (grouped queries).
        v: tensor of the shape of `k`.
        causal: query i sees the keys up to i, as PyTorch's ``is_causal`` has it.
        scale: default: 1 / sqrt(size).

    The result has the shape and, where they are dense, the strides of `q`.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no floating-point tensor, or types or devices differ.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.ops.tensors import attention as tensors

    return tensors.attention(q, k, v, causal=causal, scale=scale)


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
        bias: channels · multiplier elements, added to the rounded result.
        stride: elements between windows; one number, or three for depth, height and width.
        padding: zeros on both sides, likewise.
        dilation: elements between taps, likewise.

    The result is contiguous.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no floating-point tensor, or types or devices differ.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.ops.tensors import depthwise as tensors

    return tensors.depthwise_conv3d(x, weight, bias, stride=stride, padding=padding, dilation=dilation)


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return the softmax of a tensor over a dimension, computed in float32; the result is contiguous.

    Raises:
        BadShapeError: there is no such dimension.
        BadArrayError: `x` is no floating-point tensor.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.ops.tensors import softmax as tensors

    return tensors.softmax(x, dim)
