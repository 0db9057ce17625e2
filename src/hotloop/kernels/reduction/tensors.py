"""``hotloop::softmax``: softmax over the last dimension."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from hotloop.dispatch import arguments, place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.operator import Operator
from hotloop.errors import BadShapeError
from hotloop.kernels.reduction import softmax as rows
from hotloop.kernels.reduction.problem import FAMILY
from hotloop.kernels.reduction.softmax import Softmax

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.dispatch.choice import Choice
    from hotloop.model.program import Program


class Call(NamedTuple):
    """The operator's arguments, in its order."""

    x: torch.Tensor
    dim: int


class _Softmax(Operator[Call, Softmax, torch.Tensor]):
    arguments = Call
    operands = 1

    def check(self, call: Call) -> None:
        arguments.tensors(x=call.x)
        arguments.whole("dim", call.dim)
        if not -call.x.dim() <= call.dim < call.x.dim():
            raise BadShapeError(f"x has {call.x.dim()} dimensions, so there is no dimension {call.dim}.")

    def described(self, call: Call, *, gradient: bool) -> Softmax:
        x, dim = call
        dtype, columns = arguments.text(x.dtype), x.shape[-1]
        count = x.numel() // columns if columns else 0
        dense = x.is_contiguous() and arguments.aligned(x)
        obstacle = rows.obstacle(
            dtype=dtype, rows=count, columns=columns, last=dim in (-1, x.dim() - 1), contiguous=dense
        )  # fmt: skip
        return Softmax(count, columns, dtype, NO_GRADIENT if gradient else obstacle)

    def function(self, described: Softmax) -> str:
        del described
        return rows.FUNCTION

    def choose(self, described: Softmax, like: torch.Tensor) -> Choice:
        at = place.facts(like, "cuda")
        if not at.obstacle:
            won = place.Winners() if described.obstacle else place.winners(FAMILY, at.device)
            return rows.choose(described, at.device, won)
        other = place.facts(like, "triton")
        if other.obstacle:
            return rows.choose(replace(described, obstacle=described.obstacle or other.obstacle), other.device)
        return rows.choose(described, other.device, compiler=f"no CUDA C++: {at.obstacle}")

    def alternatives(self, described: Softmax, like: torch.Tensor) -> tuple[Choice, ...]:
        at = place.facts(like, "triton")
        return () if at.obstacle else rows.alternatives(described, at.device)

    def program(self, call: Call, choice: Choice) -> Program:
        return rows.program(self.described(call, gradient=False), choice)

    def arrays(self, call: Call, made: torch.Tensor) -> dict[str, torch.Tensor]:
        x = call.x
        return {"x": x, "scale": x, "shift": x, "y": made}  # softmax reads no scale and no shift

    def lying(self, call: Call) -> dict[str, str]:
        del call
        return {"x": "x", "scale": "x", "shift": "x"}

    def own(self, call: Call) -> torch.Tensor:
        return torch.softmax(call.x, call.dim)

    def peer(self, call: Call) -> torch.Tensor:
        return torch.softmax(call.x, call.dim).contiguous()

    def straight_peer(self, call: Call) -> Callable[[tuple[Any, ...]], torch.Tensor]:
        return (
            (lambda given: torch.softmax(given[0], given[1])) if call.x.is_contiguous() else super().straight_peer(call)
        )

    def fake(self, call: Call) -> torch.Tensor:
        return torch.empty_like(call.x, memory_format=torch.contiguous_format)


_OPERATOR = _Softmax("softmax", "(Tensor x, SymInt dim) -> Tensor")


def computed(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Return the softmax of a tensor; see `hotloop.ops.softmax`."""
    return _OPERATOR((x, dim))


def softmax(x: torch.Tensor, dim: int = -1) -> tuple[_Softmax, Call]:
    """Return the operator and its arguments."""
    return _OPERATOR, Call(x, dim)
