"""PyTorch's three-dimensional convolutions, as `hotloop.ops.depthwise_conv3d` where each channel is by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.routing import RefusedError, Route, Routed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    Three = int | Sequence[int]

_FORM = 5


def conv3d(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, stride: Three = 1,  # noqa: A002
    padding: Three | str = 0, dilation: Three = 1, groups: int = 1,
) -> Routed:  # fmt: skip
    """Return the convolution of each channel by itself; any other stays PyTorch's."""
    if input.dim() != _FORM or weight.dim() != _FORM or isinstance(padding, str):
        raise RefusedError("a convolution without a batch, or whose padding is a word")
    if weight.shape[1] != 1 or groups != input.shape[1]:
        raise RefusedError("a convolution over several channels; one channel by itself is known")
    options = {"stride": stride, "padding": padding, "dilation": dilation}
    return Routed("depthwise_conv3d", (input, weight, bias), options)


def convolution(
    input: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Three, padding: Three, dilation: Three,  # noqa: A002
    transposed: bool, output_padding: Three, groups: int,  # noqa: FBT001 - PyTorch's arguments
) -> Routed:  # fmt: skip
    """Return the same of the call that PyTorch's dispatcher sees."""
    del output_padding
    if transposed:
        raise RefusedError("a transposed convolution")
    return conv3d(input, weight, bias, stride, padding, dilation, groups)


ROUTES = (
    Route(("torch.nn.functional.conv3d",), ("aten::conv3d",), conv3d, weight=1),
    Route((), ("aten::convolution",), convolution),
)
