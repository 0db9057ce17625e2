"""``hotloop::attention``: attention forward with grouped queries and a causal mask."""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from hotloop.errors import BadShapeError
from hotloop.ops.choice import Choice
from hotloop.ops.operand import BadArrayError
from hotloop.ops.tensors import attending, common, place
from hotloop.ops.tensors.attending import Attention
from hotloop.ops.tensors.common import NO_GRADIENT, torch
from hotloop.ops.tensors.select import PEER, Asked, own

FUNCTION = "torch.nn.functional.scaled_dot_product_attention"
FORM = 4


class Call(NamedTuple):
    """The operator's arguments, in its order."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    causal: bool
    scale: float | None


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = False, scale: float | None = None
) -> torch.Tensor:
    """Return softmax(q·kᵀ·scale + mask)·v of [batch, heads, length, size]; see `hotloop.ops.attention`."""
    call = Call(q, k, v, causal, scale)
    if common.wants_gradient(q=q, k=k, v=v):
        _check(call)
        if not torch.compiler.is_compiling():
            _choice(call, gradient=True)
        return _own(call)
    made: torch.Tensor = _quick(call) if common.direct(q, k, v) else torch.ops.hotloop.attention(*call)
    return made


def explain(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = False, scale: float | None = None
) -> Choice:
    """Return what `attention` would run for the same arguments, and why."""
    call = Call(q, k, v, causal, scale)
    _check(call)
    return _choice(call, gradient=common.wants_gradient(q=q, k=k, v=v))


@torch.library.custom_op("hotloop::attention", mutates_args=())
def _attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool, scale: float | None  # noqa: FBT001 - the operator's schema
) -> torch.Tensor:  # fmt: skip
    call = Call(q, k, v, causal, scale)
    _check(call)
    return _made(call, _choice(call))


def _quick(call: Call) -> torch.Tensor:
    """Do the same for a call like earlier ones without judging and describing it again."""
    key = ("attention", *map(common.form, call[:3]), *call[3:])
    choice = place.known(key)
    if choice is None:
        _check(call)
        choice = place.remembered(key, partial(_choice, call))
    return _made(call, choice)


def _made(call: Call, choice: Choice) -> torch.Tensor:
    q = call.q
    if choice.implementation == PEER:
        return _alike(q, _own(call))
    try:
        return _run(call, choice)
    except Exception as error:
        trouble = common.compile_trouble(error)
        if not trouble:
            raise
        asked = Asked(problem=choice.problem, device=choice.device, function=FUNCTION, weights={})
        why = f"{choice.implementation} cannot run here: {trouble}"
        place.replace((_described(call, gradient=False), q.device), own(asked, why, choice.notes))
        return _alike(q, _own(call))


@_attention.register_fake
def _fake(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool, scale: float | None  # noqa: FBT001 - the operator's schema
) -> torch.Tensor:  # fmt: skip
    _check(Call(q, k, v, causal, scale))
    return torch.empty_like(q)


_attention.register_autograd(common.no_backward("attention"))


def _run(call: Call, choice: Choice) -> torch.Tensor:
    from hotloop.kernels.attention import launch

    q, k, v, causal, scale = call
    if choice.implementation == attending.GLUON:
        config = attending.gluon(choice.config)
        made: torch.Tensor = launch.attend(q, k, v, causal=causal, scale=scale, config=config)[0]
        return made
    o = torch.empty_like(q)
    wide = float(q.shape[3] ** -0.5 if scale is None else scale)
    launch.plain(q, k, v, o, None, causal, wide, attending.plain(choice.config))
    return o


def _check(call: Call) -> None:
    q, k, v = call[:3]
    common.tensors(q=q, k=k, v=v)
    for name, one in (("q", q), ("k", k), ("v", v)):
        if one.dim() != FORM:
            raise BadArrayError(
                f"{name} has {one.dim()} dimensions; give [batch, heads, length, size], its shape is {tuple(one.shape)}."
            )
    if k.shape != v.shape or q.shape[0] != k.shape[0] or q.shape[3] != k.shape[3]:
        shapes = ", ".join(str(tuple(x.shape)) for x in (q, k, v))
        raise BadShapeError(f"q, k, v of {shapes} do not go together: batch and size must agree, and k and v in all.")
    if not k.shape[1] or q.shape[1] % k.shape[1]:
        raise BadShapeError(f"{q.shape[1]} heads of q are no multiple of {k.shape[1]} heads of k: give equal groups.")


def _described(call: Call, *, gradient: bool) -> Attention:
    q, k, v, causal, scale = call
    batch, heads, length_q, size = q.shape
    dtype, length_k = common.text(q.dtype), k.shape[2]
    loose = next((name for name, x in (("q", q), ("k", k), ("v", v)) if not _readable(x)), "")
    empty = not q.numel() or not length_k
    obstacle = attending.obstacle(dtype=dtype, size=size, empty=empty, scale=scale, loose=loose)
    why = NO_GRADIENT if gradient else obstacle
    return Attention(batch, heads, k.shape[1], length_q, length_k, size, dtype, causal, why)


def _readable(x: torch.Tensor) -> bool:
    """Tell whether the copy engine can read a tensor: unit last stride, the others multiples of 16 bytes."""
    steps = x.stride()[:3]
    spread = all(step or extent == 1 for step, extent in zip(steps, x.shape[:3], strict=True))
    whole = all(step % attending.ALIGNED == 0 for step in steps)
    return x.stride(3) == 1 and spread and whole and common.aligned(x)


def _choice(call: Call, *, gradient: bool = False) -> Choice:
    described = _described(call, gradient=gradient)
    return place.remembered((described, call.q.device), partial(_choose, described, call.q))


def _choose(described: Attention, like: torch.Tensor) -> Choice:
    device = place.facts(like, "triton")
    if isinstance(device, str):
        return attending.choose(replace(described, obstacle=described.obstacle or device), place.elsewhere(like))
    return attending.choose(described, device)


def _own(call: Call) -> torch.Tensor:
    grouped = call.q.shape[1] != call.k.shape[1]
    made: torch.Tensor = torch.nn.functional.scaled_dot_product_attention(
        call.q, call.k, call.v, is_causal=call.causal, scale=call.scale, enable_gqa=grouped
    )
    return made


def _alike(q: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
    """Return a result in the strides that the fake tensor promised: those of the queries."""
    wanted = torch.empty_like(q)
    return made if made.stride() == wanted.stride() else wanted.copy_(made)
