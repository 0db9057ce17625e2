"""``hotloop::depthwise_conv3d``: three-dimensional convolution of each channel by itself."""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from hotloop.errors import BadShapeError
from hotloop.kernels.conv3d_depthwise.rungs import Shape
from hotloop.ops.choice import Choice
from hotloop.ops.operand import BadArrayError
from hotloop.ops.tensors import common, convolution, place
from hotloop.ops.tensors.common import NO_GRADIENT, torch
from hotloop.ops.tensors.convolution import Convolution
from hotloop.ops.tensors.select import PEER, Asked, own

FUNCTION = "torch.nn.functional.conv3d"
FORM = 5
_AXES = 3


def depthwise_conv3d(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, *, stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1,
) -> torch.Tensor:  # fmt: skip
    """Return the convolution of each channel of [n, c, d, h, w] by itself; see `hotloop.ops.depthwise_conv3d`."""
    steps = _three("stride", stride), _three("padding", padding), _three("dilation", dilation)
    given = (x, weight, bias, *steps)
    if common.wants_gradient(x=x, weight=weight, bias=bias):
        _check(*given)
        if not torch.compiler.is_compiling():
            _choice(*given, gradient=True)
        return _own(*given)
    direct = common.direct(x, weight, bias)
    made: torch.Tensor = _depthwise_made(*given) if direct else torch.ops.hotloop.depthwise_conv3d(*given)
    return made


def explain(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None, *, stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1,
) -> Choice:  # fmt: skip
    """Return what `depthwise_conv3d` would run for the same arguments, and why."""
    given = (x, weight, bias, _three("stride", stride), _three("padding", padding), _three("dilation", dilation))
    _check(*given)
    return _choice(*given, gradient=common.wants_gradient(x=x, weight=weight, bias=bias))


@torch.library.custom_op("hotloop::depthwise_conv3d", mutates_args=())
def _depthwise(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> torch.Tensor:  # fmt: skip
    return _depthwise_made(x, weight, bias, stride, padding, dilation)


def _depthwise_made(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> torch.Tensor:  # fmt: skip
    given = (x, weight, bias, stride, padding, dilation)
    shape = _check(*given)
    choice = _choice(*given)
    if choice.implementation == PEER:
        return _own(*given).contiguous()
    try:
        return _run(x, weight, bias, shape, choice)
    except Exception as error:
        trouble = common.compile_trouble(error)
        if not trouble:
            raise
        asked = Asked(problem=choice.problem, device=choice.device, function=FUNCTION, weights={})
        why = f"{choice.implementation} cannot run here: {trouble}"
        place.replace((_described(x, shape, gradient=False), x.device), own(asked, why, choice.notes))
        return _own(*given).contiguous()


@_depthwise.register_fake
def _fake(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> torch.Tensor:  # fmt: skip
    shape = _check(x, weight, bias, stride, padding, dilation)
    return x.new_empty((shape.n, weight.shape[0], *shape.output))


_depthwise.register_autograd(common.no_backward("depthwise_conv3d"))


def _run(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, shape: Shape, choice: Choice
) -> torch.Tensor:  # fmt: skip
    from hotloop.ops.tensors import cubin

    y = x.new_empty((shape.n, weight.shape[0], *shape.output))
    taps = weight.contiguous()
    taps = taps if common.aligned(taps) else taps.clone()
    cubin.run(convolution.job(shape, choice.config), (x, taps, y), choice.device.target)
    return y if bias is None else y.add_(bias.view(1, -1, 1, 1, 1))


def _check(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> Shape:  # fmt: skip
    """Return the sizes."""
    common.tensors(x=x, weight=weight, bias=bias)
    for name, one in (("x", x), ("weight", weight)):
        if one.dim() != FORM:
            raise BadArrayError(
                f"{name} has {one.dim()} dimensions, and 5 are needed; its shape is {tuple(one.shape)}."
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
    shape = Shape(
        n=x.shape[0], c=channels, size=_triple(x.shape[2:]), kernel=_triple(weight.shape[2:]), padding=_triple(padding),
        stride=_triple(stride), dilation=_triple(dilation), multiplier=weight.shape[0] // channels,
        dtype=common.text(x.dtype),
    )  # fmt: skip
    if min(shape.kernel) < 1 or min(shape.output) < 1:
        raise BadShapeError(f"a window of {shape.kernel} does not fit the padded input of {shape.size}.")
    return shape


def _three(name: str, value: int | Sequence[int]) -> list[int]:
    if isinstance(value, int):
        return [value] * _AXES
    if len(value) != _AXES:
        raise BadShapeError(f"{name} has {len(value)} values; give one, or three for depth, height and width.")
    return list(value)


def _triple(values: Sequence[int]) -> tuple[int, int, int]:
    d, h, w = values
    return d, h, w


def _described(x: torch.Tensor, shape: Shape, *, gradient: bool) -> Convolution:
    loose = "" if x.is_contiguous() and common.aligned(x) else "x"
    return Convolution(shape, NO_GRADIENT if gradient else convolution.obstacle(shape, loose))


def _choice(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], *, gradient: bool = False,
) -> Choice:  # fmt: skip
    call = _described(x, _check(x, weight, bias, stride, padding, dilation), gradient=gradient)
    return place.remembered((call, x.device), partial(_choose, call, x))


def _choose(call: Convolution, like: torch.Tensor) -> Choice:
    device = place.facts(like, "cuda")
    if isinstance(device, str):
        return convolution.choose(replace(call, obstacle=call.obstacle or device), place.elsewhere(like))
    found, trouble = ((), "") if call.obstacle else place.winners(convolution.FAMILY, device)
    return convolution.choose(call, device, found, trouble)


def _own(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> torch.Tensor:  # fmt: skip
    return torch.nn.functional.conv3d(
        x, weight, bias, list(stride), list(padding), list(dilation), groups=x.shape[1]
    )  # fmt: skip
