"""Attention of packed sequences on PyTorch tensors; PyTorch is imported when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    import torch


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
    from hotloop.kernels.attention_packed.tensors import attention_packed as formed

    operator, call = formed(
        q, k, v, starts_q, starts_k, causal=causal, scale=scale, longest_q=longest_q, longest_k=longest_k,
        return_lse=return_lse,
    )  # fmt: skip
    return operator(call)


OPERATOR = Functions((attention_packed,), "hotloop.kernels.attention_packed.tensors")
