"""PyTorch's linear layers and products of matrices, as `hotloop.ops.gemm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.routing import RefusedError, Route, Routed

if TYPE_CHECKING:
    import torch

_MATRIX = 2


def linear(input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> Routed:  # noqa: A002 - PyTorch's name
    """Return the product with a weight that lies as ``nn.Linear`` holds it."""
    if weight.dim() != _MATRIX or input.dim() < 1 or (bias is not None and bias.dim() != 1):
        raise RefusedError("a linear layer of other than a matrix of weights and a vector of biases")
    rows = input if input.dim() == _MATRIX else input.reshape(-1, input.shape[-1])
    shape = None if rows is input else (*input.shape[:-1], weight.shape[0])
    return Routed("gemm", (rows, weight.t()), {"bias": bias}, shape)


def matmul(input: torch.Tensor, other: torch.Tensor) -> Routed:  # noqa: A002
    """Return the product with one matrix."""
    if other.dim() != _MATRIX or input.dim() < _MATRIX:
        raise RefusedError("a product of vectors or of a batch of matrices; one product of matrices a call is known")
    rows = input if input.dim() == _MATRIX else input.reshape(-1, input.shape[-1])
    return Routed("gemm", (rows, other), {}, None if rows is input else (*input.shape[:-1], other.shape[1]))


def mm(input: torch.Tensor, mat2: torch.Tensor) -> Routed:  # noqa: A002
    """Return the product of two matrices."""
    return Routed("gemm", (input, mat2), {})


def addmm(
    input: torch.Tensor, mat1: torch.Tensor, mat2: torch.Tensor, beta: float = 1, alpha: float = 1  # noqa: A002
) -> Routed:  # fmt: skip
    """Return the product with a vector added to each row; a matrix that is added stays PyTorch's."""
    if beta != 1 or alpha != 1 or input.dim() != 1 or mat2.dim() != _MATRIX or input.shape[0] != mat2.shape[1]:
        raise RefusedError("addmm with factors or with a matrix that is added: cuBLAS does so in one pass")
    return Routed("gemm", (mat1, mat2), {"bias": input})


ROUTES = (
    Route(("torch.nn.functional.linear",), ("aten::linear",), linear, weight=1),
    Route(("torch.matmul", "torch.Tensor.matmul", "torch.Tensor.__matmul__"), ("aten::matmul",), matmul, weight=1),
    Route(("torch.mm", "torch.Tensor.mm"), ("aten::mm",), mm, weight=1),
    Route(("torch.addmm", "torch.Tensor.addmm"), ("aten::addmm",), addmm, weight=2),
)
