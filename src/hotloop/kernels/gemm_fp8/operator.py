"""Products of 8-bit floats on PyTorch tensors; PyTorch is imported when one is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.functions import Functions

if TYPE_CHECKING:
    import torch


def gemm_fp8(
    a: torch.Tensor,
    b: torch.Tensor,
    scale_a: torch.Tensor,
    scale_b: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
    activation: str = "none",
    dtype: torch.dtype | None = None,
    fast_accum: bool = False,
) -> torch.Tensor:
    """Return ``activation(scale_a · scale_b · (a · b) + bias)`` of matrices of 8-bit floats.

    Args:
        a: tensor [m, k] of float8_e4m3fn.
        b: tensor [k, n] of float8_e4m3fn; the kernel takes it column-major: ``weight.t()`` of a weight [n, k].
        scale_a: float32 on the same device: one element, or [m, 1] for a factor of each row.
        scale_b: likewise: one element, or [1, n] for a factor of each column.
        bias: n elements of the result's type.
        activation: as in `hotloop.ops.gemm`.
        dtype: the result's type: bfloat16 (the default), float16 or float32.
        fast_accum: let the matrix instruction add up all of k with its about 14 bits; without it at most 256 products, the
            rest in float32.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: types or devices differ from these.
        UnknownNameError: no such activation.
        MissingExtraError: PyTorch is not installed.
    """
    from hotloop.kernels.gemm_fp8.tensors import gemm_fp8 as formed

    operator, call = formed(
        a, b, scale_a, scale_b, bias=bias, activation=activation, dtype=dtype, fast_accum=fast_accum
    )
    return operator(call)


OPERATOR = Functions((gemm_fp8,), "hotloop.kernels.gemm_fp8.tensors")
