"""PyTorch's softmax, as `hotloop.ops.softmax`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.routing import RefusedError, Route, Routed

if TYPE_CHECKING:
    import torch


def softmax(
    input: torch.Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: torch.dtype | None = None  # noqa: A002
) -> Routed:  # fmt: skip
    """Return the softmax over a named dimension; one that converts its input stays PyTorch's."""
    del _stacklevel
    if dim is None or dtype is not None:
        raise RefusedError("softmax without a dimension, or one that converts its input")
    return Routed("softmax", (input, dim), {})


def plain(input: torch.Tensor, dim: int, dtype: torch.dtype | None = None) -> Routed:  # noqa: A002
    """Return the same with the arguments that ``torch.softmax`` takes."""
    return softmax(input, dim, dtype=dtype)


def behind(input: torch.Tensor, dim: int, half_to_float: bool) -> Routed:  # noqa: A002, FBT001 - PyTorch's arguments
    """Return the same of the call that PyTorch's dispatcher sees."""
    if half_to_float:
        raise RefusedError("softmax that converts its input")
    return softmax(input, dim)


ROUTES = (
    Route(("torch.nn.functional.softmax",), (), softmax, widens=True),
    Route(("torch.softmax", "torch.Tensor.softmax"), ("aten::softmax",), plain, widens=True),
    Route((), ("aten::_softmax",), behind, widens=True),
)
