"""Attention forward on PyTorch tensors; PyTorch is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

_formed: Callable[..., Any] | None = None
"""Function of the module that imports PyTorch, set once that is imported: an import statement costs half a microsecond in every call."""


@overload
def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = ..., scale: float | None = ...,
    window: int = ..., shift: int = ...,
    return_lse: Literal[False] = ...,
) -> torch.Tensor: ...  # fmt: skip


@overload
def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = ..., scale: float | None = ...,
    window: int = ..., shift: int = ...,
    return_lse: Literal[True],
) -> tuple[torch.Tensor, torch.Tensor]: ...  # fmt: skip


def attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    *,
    causal: bool = False,
    scale: float | None = None,
    window: int = 0,
    shift: int = 0,
    return_lse: bool = False,
) -> torch.Tensor | tuple[torch.Tensor, torch.Tensor]:
    """Return softmax(q·kᵀ·scale + mask)·v, and when asked for the logarithm of each softmax's sum.

    Args:
        q: tensor [batch, heads, length, size].
        k: tensor [batch, kv heads, length of keys, size]; kv heads divide heads (grouped queries).
        v: tensor of the shape of `k`.
        causal: query i sees the keys up to i + shift; with a shift of 0 as PyTorch's ``is_causal`` has it.
        scale: default: 1 / sqrt(size).
        window: query i sees only keys nearer than that to i + shift; 0: no window.
        shift: place of the first query among the keys, for masks and windows: with a cache the number of keys before it.
        return_lse: also return log Σ exp(scores), [batch, heads, length] in float32 (float64 for float64).

    The result has the shape and, where they are dense, the strides of `q`.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no floating-point tensor, or types or devices differ.
        MissingExtraError: PyTorch is not installed.
    """
    global _formed  # noqa: PLW0603
    if _formed is None:
        from hotloop.kernels.attention.tensors import attention as formed

        _formed = formed
    operator, call = _formed(q, k, v, causal=causal, scale=scale, window=window, shift=shift, return_lse=return_lse)
    return operator(call)


OPERATOR = Functions((attention,), "hotloop.kernels.attention.tensors")
