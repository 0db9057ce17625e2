"""PyTorch's products of batches, as `hotloop.ops.gemm_batched`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.routing import Route, Routed

if TYPE_CHECKING:
    import torch


def bmm(input: torch.Tensor, mat2: torch.Tensor) -> Routed:  # noqa: A002 - PyTorch's name
    """Return the products of two batches of matrices."""
    return Routed("gemm_batched", (input, mat2), {})


ROUTES = (Route(("torch.bmm", "torch.Tensor.bmm"), ("aten::bmm",), bmm),)
