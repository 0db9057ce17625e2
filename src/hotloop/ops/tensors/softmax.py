"""``hotloop::softmax``: softmax over the last dimension."""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from dataclasses import replace
from functools import partial

from hotloop.errors import BadShapeError
from hotloop.ops.choice import Choice
from hotloop.ops.tensors import common, place, rows
from hotloop.ops.tensors.common import NO_GRADIENT, torch
from hotloop.ops.tensors.rows import Softmax
from hotloop.ops.tensors.select import PEER, Asked, own


def softmax(x: torch.Tensor, dim: int = -1) -> torch.Tensor:
    """Return the softmax of a tensor over one dimension; see `hotloop.ops.softmax`."""
    if common.wants_gradient(x=x):
        _check(x, dim)
        if not torch.compiler.is_compiling():
            _choice(x, dim, gradient=True)
        return torch.softmax(x, dim)
    made: torch.Tensor = _quick(x, dim) if common.direct(x) else torch.ops.hotloop.softmax(x, dim)
    return made


def explain(x: torch.Tensor, dim: int = -1) -> Choice:
    """Return what `softmax` would run for the same arguments, and why."""
    _check(x, dim)
    return _choice(x, dim, gradient=common.wants_gradient(x=x))


@torch.library.custom_op("hotloop::softmax", mutates_args=())
def _softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    _check(x, dim)
    return _made(x, dim, _choice(x, dim))


def _quick(x: torch.Tensor, dim: int) -> torch.Tensor:
    """Do the same for a call like earlier ones without judging and describing it again."""
    key = ("softmax", common.form(x), dim)
    choice = place.known(key)
    if choice is None:
        _check(x, dim)
        choice = place.remembered(key, partial(_choice, x, dim))
    return _made(x, dim, choice)


def _made(x: torch.Tensor, dim: int, choice: Choice) -> torch.Tensor:
    if choice.implementation == PEER:
        return torch.softmax(x, dim).contiguous()
    try:
        return _run(x, choice)
    except Exception as error:
        trouble = common.compile_trouble(error)
        if not trouble:
            raise
        asked = Asked(problem=choice.problem, device=choice.device, function="torch.softmax", weights={})
        why = f"{choice.implementation} cannot run here: {trouble}"
        place.replace((_described(x, dim, gradient=False), x.device), own(asked, why, choice.notes))
        return torch.softmax(x, dim).contiguous()


@_softmax.register_fake
def _fake(x: torch.Tensor, dim: int) -> torch.Tensor:
    _check(x, dim)
    return torch.empty_like(x, memory_format=torch.contiguous_format)


_softmax.register_autograd(common.no_backward("softmax"))


def _run(x: torch.Tensor, choice: Choice) -> torch.Tensor:
    y = torch.empty_like(x)
    columns = x.shape[-1]
    count = x.numel() // columns
    if choice.implementation == rows.CUDA:
        from hotloop.ops.tensors import cubin

        call = Softmax(count, columns, common.text(x.dtype))
        # softmax has no scale and no shift: their places are filled, and not read
        cubin.run(rows.job(call, choice.config), (x, x, y, x, count), choice.device.target)
        return y
    from hotloop.kernels.reduction import jit

    config = choice.config
    with torch.cuda.device(x.device):
        jit.softmax[(count,)](
            x, y, columns, BLOCK=config.integer("BLOCK"), num_warps=config.integer("num_warps")
        )  # fmt: skip
    return y


def _check(x: torch.Tensor, dim: int) -> None:
    common.tensors(x=x)
    if not -x.dim() <= dim < x.dim():
        raise BadShapeError(f"x has {x.dim()} dimensions, so there is no dimension {dim}.")


def _described(x: torch.Tensor, dim: int, *, gradient: bool) -> Softmax:
    dtype, columns = common.text(x.dtype), x.shape[-1]
    count = x.numel() // columns if columns else 0
    whole = x.is_contiguous() and common.aligned(x)
    obstacle = rows.obstacle(
        dtype=dtype, rows=count, columns=columns, last=dim in (-1, x.dim() - 1), contiguous=whole
    )  # fmt: skip
    return Softmax(count, columns, dtype, NO_GRADIENT if gradient else obstacle)


def _choice(x: torch.Tensor, dim: int, *, gradient: bool = False) -> Choice:
    call = _described(x, dim, gradient=gradient)
    return place.remembered((call, x.device), partial(_choose, call, x))


def _choose(call: Softmax, like: torch.Tensor) -> Choice:
    device = place.facts(like, "cuda")
    if not isinstance(device, str):
        found, trouble = ((), "") if call.obstacle else place.winners(rows.FAMILY, device)
        return rows.choose(call, device, found, trouble)
    other = place.facts(like, "triton")
    if isinstance(other, str):
        return rows.choose(replace(call, obstacle=call.obstacle or other), place.elsewhere(like))
    return rows.choose(call, other, compiler=f"no CUDA C++: {device}")
