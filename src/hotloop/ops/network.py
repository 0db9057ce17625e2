"""Operations of neural networks on PyTorch tensors; PyTorch is imported when one is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, overload

if TYPE_CHECKING:
    import torch


@overload
def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = ..., scale: float | None = ...,
    return_lse: Literal[False] = ...,
) -> torch.Tensor: ...  # fmt: skip


@overload
def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = ..., scale: float | None = ...,
    return_lse: Literal[True],
) -> tuple[torch.Tensor, torch.Tensor]: ...  # fmt: skip


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *,
    causal: bool = False,
    scale: float | None = None,
    return_lse: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """Return softmax(q·kᵀ·scale + mask)·v, and when asked for the logarithm of each softmax's sum.

    Args:
        q: tensor [batch, heads, length, size].
        k: tensor [batch, kv heads, length of keys, size]; kv heads divide heads (grouped queries).
        v: tensor of the shape of `k`.
        causal: query i sees the keys up to i, as PyTorch's ``is_causal`` has it.
        scale: default: 1 / sqrt(size).
        return_lse: also return log Σ exp(scores), [batch, heads, length] in float32 (float64 for float64).

    The result has the shape and, where they are dense, the strides of `q`.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no floating-point tensor, or types or devices differ.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.ops.tensors import attention as tensors

    return tensors.attention(q, k, v, causal=causal, scale=scale, return_lse=return_lse)


@overload
def attention_packed(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, starts_q: torch.Tensor, starts_k: torch.Tensor | None = ..., *,
    causal: bool = ..., scale: float | None = ..., longest_q: int | None = ..., longest_k: int | None = ...,
    return_lse: Literal[False] = ...,
) -> torch.Tensor: ...  # fmt: skip


@overload
def attention_packed(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, starts_q: torch.Tensor, starts_k: torch.Tensor | None = ..., *,
    causal: bool = ..., scale: float | None = ..., longest_q: int | None = ..., longest_k: int | None = ...,
    return_lse: Literal[True],
) -> tuple[torch.Tensor, torch.Tensor]: ...  # fmt: skip


def attention_packed(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    starts_q: torch.Tensor,
    starts_k: torch.Tensor | None = None,
    *,
    causal: bool = False,
    scale: float | None = None,
    longest_q: int | None = None,
    longest_k: int | None = None,
    return_lse: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """Return attention of sequences of different lengths that lie one after the other, none of which sees another.

    Args:
        q: tensor [rows, heads, size].
        k: tensor [rows of keys, kv heads, size]; kv heads divide heads (grouped queries).
        v: tensor of the shape of `k`.
        starts_q: int32 [sequences + 1] on the device of `q`: the first row of each sequence, and the number of rows. It begins
            with 0 and does not fall; a sequence may be empty.
        starts_k: the same for keys; default: `starts_q`.
        causal: the last query of a sequence sees all its keys, the one before it one key less, as in flash attention. (In
            `attention` the first query sees the first key: the same where there are as many keys as queries.)
        scale: default: 1 / sqrt(size).
        longest_q: no sequence has more queries. Without it and `longest_k` the starts are read, which waits for the device,
            and checked; with it they are trusted.
        longest_k: the same for keys; default: with `starts_k` None `longest_q`.
        return_lse: also return log Σ exp(scores), [heads, rows] in float32 (float64 for float64).

    Queries without a key give zeros and minus infinity. The result has the shape and, where they are dense, the strides of `q`.
    hotloop's kernel reads up to 127 rows beyond a sequence and gives them weight zero, so infinite values of one sequence
    may turn results of the one before it into NaN.

    Raises:
        BadShapeError: shapes do not go together, or a length is too small.
        BadArrayError: an argument is no tensor of the right type, devices differ, or starts that were read have no meaning.
        UsageError: lengths are needed while a CUDA graph is captured.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.ops.tensors import packed as tensors

    return tensors.attention_packed(
        q, k, v, starts_q, starts_k, causal=causal, scale=scale, longest_q=longest_q, longest_k=longest_k,
        return_lse=return_lse,
    )  # fmt: skip


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
    from hotloop.ops.tensors import int4 as tensors

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
    from hotloop.ops.tensors import int4 as tensors

    return tensors.gemm_int4(a, stored, scales, bias=bias, activation=activation)
