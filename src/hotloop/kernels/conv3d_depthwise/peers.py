"""PyTorch's own depthwise convolution, as a peer."""

from __future__ import annotations

from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.kernels.conv3d_depthwise.shape import Shape
from hotloop.model import call
from hotloop.model.call import Call, View
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Program


def convolve(problem: Problem, device: Device) -> Program | None:
    """Return ``torch.nn.functional.conv3d`` with as many groups as channels."""
    del device
    shape = shape_of(problem)
    channels = shape.c * shape.multiplier
    views = {
        "x": _view(shape, shape.c, shape.size),
        "weights": View(shape.dtype, (channels, 1, *shape.kernel)),
    }
    if shape.bias:
        views |= {"bias": View(shape.dtype, (channels,))}
    views |= {"y": _view(shape, channels, shape.output)}
    constants = {"stride": shape.stride, "padding": shape.padding, "dilation": shape.dilation, "groups": shape.c}
    return Call("conv3d", views, constants).program


def _view(shape: Shape, channels: int, size: tuple[int, int, int]) -> View:
    """Return an array in PyTorch's order of axes, whichever lies innermost in memory."""
    d, h, w = size
    last = (d * h * w * channels, 1, h * w * channels, w * channels, channels)
    return View(shape.dtype, (shape.n, channels, *size), last if shape.channels_last else ())


PEERS = (Peer("PyTorch", convolve, call.exists),)
