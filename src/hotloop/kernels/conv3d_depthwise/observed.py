"""Which calls are depthwise convolutions of videos: PyTorch's, and this family's own operator."""

from __future__ import annotations

from hotloop.dispatch.observed import Operand, Reader, Seen
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT, shape_of
from hotloop.model.problem import Problem

_FORM = 5
_AXES = "dhw"
OWN = "hotloop::depthwise_conv3d"


def problem(seen: Seen) -> Problem:
    """Return the convolution of a call. Raises ValueError where it is none of this family's."""
    x, weight = seen.tensor(0), seen.tensor(1)
    if len(x.shape) != _FORM or len(weight.shape) != _FORM:
        raise ValueError("a convolution of other than three dimensions is not known")
    _depthwise(seen, x, weight)
    sizes: dict[str, int | str] = {"n": x.shape[0], "c": x.shape[1], "multiplier": weight.shape[0] // x.shape[1]}
    sizes |= dict(zip(_AXES, x.shape[2:], strict=True))
    sizes |= {f"k{axis}": extent for axis, extent in zip(_AXES, weight.shape[2:], strict=True)}
    for prefix, index, what in (("s", 3, "its stride"), ("p", 4, "its padding"), ("l", 5, "its dilation")):
        sizes |= {f"{prefix}{axis}": step for axis, step in zip(_AXES, seen.triple(index, what), strict=True)}
    sizes |= {"bias": 1} if seen.maybe(2) else {}
    made = DEFAULT.replace(**sizes, dtype=x.dtype, layout="ndhwc" if x.strides[1] == 1 and x.shape[1] > 1 else "ncdhw")
    shape_of(made)
    return made


def _depthwise(seen: Seen, x: Operand, weight: Operand) -> None:
    if seen.name == "aten::convolution" and seen.number(6, "whether it is transposed"):
        raise ValueError("a transposed convolution is not known")
    if seen.name != OWN:
        groups = seen.number(8 if seen.name == "aten::convolution" else 6, "its groups")
        if groups != x.shape[1]:
            raise ValueError(f"{groups:g} groups of {x.shape[1]} channels; one group a channel is known")
    if weight.shape[1] != 1 or not x.shape[1]:
        raise ValueError("a convolution over several channels is not known")


OBSERVED = Reader(frozenset({"aten::convolution", "aten::conv3d", OWN}), problem)
