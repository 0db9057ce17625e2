"""Products of batches and of uneven groups of PyTorch tensors; PyTorch is imported when one is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    import torch


def gemm_grouped(
    a: torch.Tensor,
    b: torch.Tensor,
    ends: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
    activation: str = "none",
    residual: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return the products of groups of rows with a matrix each: ``act(a[group] · b[i] + bias[i]) + residual[group]``.

    Args:
        a: tensor [rows, k]: the groups one after the other, as tokens sorted by expert.
        b: tensor [groups, k, n]; weights [groups, n, k] are passed as ``w.transpose(1, 2)``, without a copy.
        ends: int32 tensor [groups]: the row before which each group ends, rising; the last one is the number of rows. A group may
            be empty. It stays on its device: nobody waits for it where hotloop's kernel or PyTorch's own runs.
        bias: tensor [groups, n].
        activation: ``none``, ``relu``, ``gelu`` (exact, by erf), ``gelu-tanh`` or ``silu``.
        residual: tensor [rows, n], added after the activation.

    PyTorch computes it until ``ops.warm("gemm_grouped", …)`` has measured which is faster.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no tensor of the kind it should be, or types or devices differ.
        UnknownNameError: no such activation.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.kernels.gemm_batched.tensors import gemm_grouped as formed

    operator, call = formed(a, b, ends, bias=bias, activation=activation, residual=residual)
    return operator(call)


def gemm_batched(
    a: torch.Tensor,
    b: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
    activation: str = "none",
    residual: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return ``act(a[i] · b[i] + bias[i]) + residual[i]`` for each i.

    Args:
        a: tensor [batch, m, k], or [m, k] or [1, m, k] for all products; any strides.
        b: tensor [batch, k, n], or [k, n] or [1, k, n] for all products; any strides.
        bias: tensor [batch, n], or [n] where the result has one matrix.
        activation: ``none``, ``relu``, ``gelu`` (exact, by erf), ``gelu-tanh`` or ``silu``.
        residual: tensor [batch, m, n], added after the activation and before rounding.

    The result is [batch, m, n], or [m, n] for two matrices. float32 is multiplied as PyTorch's flag for TF32 says. PyTorch computes
    it until ``ops.warm("gemm_batched", …)`` has measured which is faster.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no tensor of the kind it should be, or types or devices differ.
        UnknownNameError: no such activation.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.kernels.gemm_batched.tensors import gemm_batched as formed

    operator, call = formed(a, b, bias=bias, activation=activation, residual=residual)
    made = operator(call)
    return made[0] if a.dim() == b.dim() == _MATRIX else made


_MATRIX = 2
OPERATOR = Functions((gemm_batched, gemm_grouped), "hotloop.kernels.gemm_batched.tensors")
