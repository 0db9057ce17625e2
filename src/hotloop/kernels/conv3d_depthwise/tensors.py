"""``hotloop::depthwise_conv3d``: the convolution of each channel by itself, with any stride, padding and dilation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hotloop.dispatch import arguments, place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.choice import Choice
from hotloop.dispatch.operator import Operator
from hotloop.errors import BadArrayError, BadShapeError
from hotloop.kernels.conv3d_depthwise import choosing as convolution
from hotloop.kernels.conv3d_depthwise.choosing import Convolution
from hotloop.kernels.conv3d_depthwise.problem import FAMILY
from hotloop.kernels.conv3d_depthwise.shape import Shape

if TYPE_CHECKING:
    from hotloop.model.program import Program

FORM = 5
_MOST_ELEMENTS = (1 << 31) - 1
"""Of an input or a result of PyTorch's CUDA kernel."""
Three = tuple[int, int, int]


class Call(NamedTuple):
    """The operator's arguments, in its order."""

    x: torch.Tensor
    weight: torch.Tensor
    bias: torch.Tensor | None
    stride: Three
    padding: Three
    dilation: Three


class _Depthwise(Operator[Call, Convolution, torch.Tensor]):
    arguments = Call
    operands = 3
    hinted = 1

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> Convolution:
        shape, x = _shape(call), call.x
        loose = "" if (x.is_contiguous() or shape.channels_last) and arguments.aligned(x) else "x"
        return Convolution(shape, NO_GRADIENT if gradient else convolution.obstacle(shape, loose))

    def function(self, described: Convolution) -> str:
        del described
        return convolution.FUNCTION

    def choose(self, described: Convolution, like: torch.Tensor) -> Choice:
        at = place.facts(like, "cuda")
        if at.obstacle:
            return self._in_triton(described, like, f"no CUDA C++: {at.obstacle}")
        won = place.Winners() if described.obstacle else place.winners(FAMILY, at.device)
        reason = "" if described.obstacle else convolution.aside(described.shape, won)
        if reason and not place.facts(like, "triton").obstacle:
            return self._in_triton(described, like, reason)
        return convolution.choose(described, at.device, won)

    def _in_triton(self, described: Convolution, like: torch.Tensor, reason: str) -> Choice:
        at = place.facts(like, "triton")
        if at.obstacle:
            return convolution.choose(replace(described, obstacle=described.obstacle or at.obstacle), at.device)
        won = place.Winners() if described.obstacle else place.winners(FAMILY, at.device)
        return convolution.choose(described, at.device, won, compiler=reason)

    def alternatives(self, described: Convolution, like: torch.Tensor) -> tuple[Choice, ...]:
        compiled, jitted = place.facts(like, "cuda"), place.facts(like, "triton")
        made = [] if compiled.obstacle else convolution.rungs_worth_trying(described, compiled.device)
        made += [] if jitted.obstacle else convolution.cuts_worth_trying(described, jitted.device)
        return tuple(made)

    def program(self, call: Call, choice: Choice) -> Program:
        return convolution.program(Convolution(_shape(call)), choice)

    def arrays(self, call: Call, made: torch.Tensor) -> dict[str, torch.Tensor]:
        taps = call.weight.contiguous()
        arrays = {"x": call.x, "weights": taps if arguments.aligned(taps) else taps.clone(), "y": made}
        return arrays if call.bias is None else {**arrays, "bias": call.bias.contiguous()}

    def lying(self, call: Call) -> dict[str, str]:
        lies = {"x": "x", "weights": "weight"} | ({} if call.bias is None else {"bias": "bias"})
        whole = call.weight.is_contiguous() and arguments.aligned(call.weight)
        return lies if whole and (call.bias is None or call.bias.is_contiguous()) else {}

    def own(self, call: Call) -> torch.Tensor:
        if call.x.shape[0] and not call.x.numel():
            return self.own(_padded(call))
        along, parts = _cut(call) if call.x.is_cuda else (0, [])
        if parts:
            return torch.cat([self.own(part) for part in parts], along)
        x, weight, *rest = call
        return torch.nn.functional.conv3d(_usual(x), _usual(weight), *rest, groups=x.shape[1])

    def peer(self, call: Call) -> torch.Tensor:
        return self.own(call).contiguous(memory_format=_form(call.x))

    def fake(self, call: Call) -> torch.Tensor:
        shape, x = _shape(call), call.x
        size = (shape.n, call.weight.shape[0], *shape.output)
        return torch.empty(size, dtype=x.dtype, device=x.device, memory_format=_form(x))


def _padded(call: Call) -> Call:
    """Return a call whose padding is part of its input: PyTorch convolves no volume without an element, however wide its padding."""
    d, h, w = call.padding
    return call._replace(x=torch.nn.functional.pad(call.x, (w, w, h, h, d, d)), padding=(0, 0, 0))


def _cut(call: Call) -> tuple[int, list[Call]]:
    """Return a dimension, and calls for parts along it, where PyTorch's CUDA kernel takes no more elements; no calls where it takes all.

    "Input tensor is too large", it says of 2³¹ elements (aten/src/ATen/native/cuda/DepthwiseConv3d.cu). Channels are by themselves.
    """
    x, weight, bias = call[:3]
    elements = max(x.numel(), _shape(call).outputs)
    along = 1 if x.shape[1] > 1 else 0
    if elements <= _MOST_ELEMENTS or x.shape[along] <= 1:
        return along, []
    step = max(1, _MOST_ELEMENTS * x.shape[along] // elements)
    parts = [call._replace(x=part) for part in x.split(step, along)]
    if along == 0:
        return along, parts
    wide = step * (weight.shape[0] // x.shape[1])
    biases = [None] * len(parts) if bias is None else bias.split(wide)
    triples = zip(parts, weight.split(wide), biases, strict=True)
    return along, [part._replace(weight=taps, bias=added) for part, taps, added in triples]


def _usual(x: torch.Tensor) -> torch.Tensor:
    """Return a tensor in the same memory whose strides are the usual ones also where an extent is 1.

    PyTorch's CUDA kernel (aten/src/ATen/native/cuda/DepthwiseConv3d.cu) begins beside the padding by the strides and goes on by the extents: with a stride of 2304 along a height of 1
    and padding there, all sums are of other elements.
    """
    if 1 not in x.shape or not x.numel():
        return x
    if x.is_contiguous():
        return x.view(-1).view(x.shape)
    if x.is_contiguous(memory_format=torch.channels_last_3d):
        last = x.permute(0, 2, 3, 4, 1)
        return last.reshape(-1).view(last.shape).permute(0, 4, 1, 2, 3)
    return x


def _form(x: torch.Tensor) -> torch.memory_format:
    """Return how the result lies: as x does if its channels lie last, else contiguous."""
    last = torch.channels_last_3d
    return last if x.is_contiguous(memory_format=last) and not x.is_contiguous() else torch.contiguous_format


def _check(call: Call) -> None:
    x, weight, bias, stride, padding, dilation = call
    arguments.tensors(x=x, weight=weight, bias=bias)
    for name, tensor in (("x", x), ("weight", weight)):
        if tensor.dim() != FORM:
            raise BadArrayError(
                f"{name} has {tensor.dim()} dimensions, and 5 are needed; its shape is {tuple(tensor.shape)}."
            )
    channels = x.shape[1]
    if weight.shape[1] != 1 or not channels or weight.shape[0] % channels:
        raise BadShapeError(
            f"weight has shape {tuple(weight.shape)}; for {channels} channels give [{channels} * multiplier, 1, kd, kh, kw]."
        )
    if bias is not None and bias.shape != (weight.shape[0],):
        raise BadShapeError(f"bias has shape {tuple(bias.shape)}; it must have {weight.shape[0]} elements.")
    if min(*stride, *dilation) < 1 or min(padding) < 0:
        raise BadShapeError("stride and dilation are at least 1, padding is at least 0.")
    shape = _shape(call)
    if min(shape.kernel) < 1 or min(shape.output) < 1:
        raise BadShapeError(f"a window of {shape.kernel} does not fit the padded input of {shape.size}.")


def _shape(call: Call) -> Shape:
    x, weight = call.x, call.weight
    return Shape(
        n=x.shape[0], c=x.shape[1], size=_triple(x.shape[2:]), kernel=_triple(weight.shape[2:]),
        padding=_triple(call.padding), stride=_triple(call.stride), dilation=_triple(call.dilation),
        multiplier=weight.shape[0] // x.shape[1], dtype=arguments.text(x.dtype),
        channels_last=_form(x) is torch.channels_last_3d, bias=call.bias is not None,
    )  # fmt: skip


def _three(name: str, value: int | Sequence[int]) -> Three:
    if type(value) is int:  # the checks below take longer than a kernel
        return value, value, value
    values = value if isinstance(value, Sequence) else [value] * 3
    if len(values) != 3:
        raise BadShapeError(f"{name} has {len(values)} values; give one, or three for depth, height and width.")
    for item in values:
        arguments.whole(name, item)
    return _triple(values)


def _triple(values: Sequence[int]) -> Three:
    d, h, w = values
    return d, h, w


_OPERATOR = _Depthwise(
    "depthwise_conv3d",
    "(Tensor x, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation) -> Tensor",
)


def depthwise_conv3d(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, *, stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1,
) -> tuple[_Depthwise, Call]:  # fmt: skip
    """Return the operator and its arguments."""
    return _OPERATOR, Call(
        x, weight, bias, _three("stride", stride), _three("padding", padding), _three("dilation", dilation)
    )
