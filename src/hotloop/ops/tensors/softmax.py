"""``hotloop::softmax``: softmax over the last dimension."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from hotloop.errors import BadShapeError
from hotloop.ops.choice import Choice
from hotloop.ops.tensors import common, place, rows
from hotloop.ops.tensors.common import NO_GRADIENT, torch
from hotloop.ops.tensors.operator import Operator
from hotloop.ops.tensors.rows import Softmax


class Call(NamedTuple):
    """The operator's arguments, in its order."""

    x: torch.Tensor
    dim: int


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return the softmax of a tensor over one dimension; see `hotloop.ops.softmax`."""
    return _OPERATOR(Call(x, dim))


def explain(x: torch.Tensor, dim: int = -1) -> Choice:
    """Return what `softmax` would run for the same arguments, and why."""
    return _OPERATOR.explain(Call(x, dim))


class _Softmax(Operator[Call, Softmax, torch.Tensor]):
    arguments = Call
    operands = 1

    def check(self, call: Call) -> None:
        common.tensors(x=call.x)
        common.whole("dim", call.dim)
        if not -call.x.dim() <= call.dim < call.x.dim():
            raise BadShapeError(f"x has {call.x.dim()} dimensions, so there is no dimension {call.dim}.")

    def described(self, call: Call, *, gradient: bool) -> Softmax:
        x, dim = call
        dtype, columns = common.text(x.dtype), x.shape[-1]
        count = x.numel() // columns if columns else 0
        whole = x.is_contiguous() and common.aligned(x)
        obstacle = rows.obstacle(
            dtype=dtype, rows=count, columns=columns, last=dim in (-1, x.dim() - 1), contiguous=whole
        )  # fmt: skip
        return Softmax(count, columns, dtype, NO_GRADIENT if gradient else obstacle)

    def function(self, described: Softmax) -> str:
        del described
        return rows.FUNCTION

    def choose(self, described: Softmax, like: torch.Tensor) -> Choice:
        device = place.facts(like, "cuda")
        if not isinstance(device, str):
            found, trouble = ((), "") if described.obstacle else place.winners(rows.FAMILY, device)
            return rows.choose(described, device, found, trouble)
        other = place.facts(like, "triton")
        if isinstance(other, str):
            return rows.choose(replace(described, obstacle=described.obstacle or other), place.elsewhere(like))
        return rows.choose(described, other, compiler=f"no CUDA C++: {device}")

    def run(self, call: Call, choice: Choice) -> torch.Tensor:
        x = call.x
        y = torch.empty_like(x)
        columns = x.shape[-1]
        count = x.numel() // columns
        if choice.implementation == rows.CUDA:
            from hotloop.ops.tensors import cubin

            job = rows.job(Softmax(count, columns, common.text(x.dtype)), choice.config)
            # softmax has no scale and no shift: their places are filled, and not read
            cubin.run(job, (x, x, y, x, count), choice.device.target)
            return y
        from hotloop.kernels.reduction.triton import kernel as jit

        block, warps = choice.config.integer("BLOCK"), choice.config.integer("num_warps")
        with torch.cuda.device(x.device):
            jit.softmax[(count,)](x, y, columns, BLOCK=block, num_warps=warps)
        return y

    def own(self, call: Call) -> torch.Tensor:
        return torch.softmax(call.x, call.dim)

    def peer(self, call: Call) -> torch.Tensor:
        return torch.softmax(call.x, call.dim).contiguous()

    def fake(self, call: Call) -> torch.Tensor:
        return torch.empty_like(call.x, memory_format=torch.contiguous_format)


_OPERATOR = _Softmax("softmax", "(Tensor x, SymInt dim) -> Tensor")
