"""``hotloop::attention``: attention forward with grouped queries and a causal mask."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from hotloop.dispatch import arguments, place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.choice import Choice
from hotloop.dispatch.operator import MaybeSums, Summed
from hotloop.dispatch.remembered import Answer
from hotloop.errors import BadArrayError, BadShapeError
from hotloop.ops.tensors import attending, peers
from hotloop.ops.tensors.attending import Attention

FORM = 4
_GIVEN = "Tensor q, Tensor k, Tensor v, bool causal, float? scale"


class Call(NamedTuple):
    """The operators' arguments, in their order."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    causal: bool
    scale: float | None


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = False, scale: float | None = None,
    return_lse: bool = False,
) -> MaybeSums:  # fmt: skip
    """Return softmax(q·kᵀ·scale + mask)·v of [batch, heads, length, size]; see `hotloop.ops.attention`."""
    call = Call(q, k, v, bool(causal), scale)
    return (_WITH_SUMS if return_lse else _PLAIN)(call)


def explain(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = False, scale: float | None = None,
    return_lse: bool = False,
) -> Choice:  # fmt: skip
    """Return what `attention` would run for the same arguments, and why."""
    return (_WITH_SUMS if return_lse else _PLAIN).explain(Call(q, k, v, bool(causal), scale))


class _Attention(Summed[Call, Attention]):
    arguments = Call
    operands = 3

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> Attention:
        q, k, v, causal, scale = call
        batch, heads, length_q, size = q.shape
        dtype, length_k = arguments.text(q.dtype), k.shape[2]
        loose = next((name for name, x in (("q", q), ("k", k), ("v", v)) if not arguments.readable(x)), "")
        empty = not q.numel() or not length_k
        obstacle = attending.obstacle(dtype=dtype, size=size, empty=empty, scale=scale, loose=loose)
        why = NO_GRADIENT if gradient else obstacle
        return Attention(batch, heads, k.shape[1], length_q, length_k, size, dtype, causal, why)

    def function(self, described: Attention) -> str:
        del described
        return attending.FUNCTION

    def choose(self, described: Attention, like: torch.Tensor) -> Choice:
        at = place.facts(like, "triton")
        device = at.device
        if at.obstacle:
            return attending.choose(replace(described, obstacle=described.obstacle or at.obstacle), device)
        return attending.choose(described, device)

    def run(self, call: Call, answer: Answer) -> MaybeSums:
        choice = answer.choice
        from hotloop.kernels.attention import launch

        q, k, v, causal, scale = call
        if choice.implementation == attending.GLUON:
            config = attending.gluon(choice.config)
            made = launch.attend(q, k, v, causal=causal, scale=scale, want_lse=self.sums, config=config)
            return self.made(*made)
        o = torch.empty_like(q)
        sums = q.new_empty(q.shape[:3], dtype=torch.float32) if self.sums else None
        wide = float(q.shape[3] ** -0.5 if scale is None else scale)
        launch.plain(q, k, v, o, sums, causal, wide, attending.plain(choice.config))
        return self.made(o, sums)

    def own(self, call: Call) -> MaybeSums:
        return self.made(peers.attend(*call[:3], causal=call.causal, scale=call.scale), self._sums(call))

    def peer(self, call: Call) -> MaybeSums:
        o = peers.attend(*call[:3], causal=call.causal, scale=call.scale)
        return self.made(arguments.alike(call.q, o), self._sums(call))

    def fake(self, call: Call) -> MaybeSums:
        q = call.q
        sums = q.new_empty(q.shape[:3], dtype=peers.sums_dtype(q.dtype)) if self.sums else None
        return self.made(torch.empty_like(q), sums)

    def _sums(self, call: Call) -> torch.Tensor | None:
        return peers.log_sums(call.q, call.k, causal=call.causal, scale=call.scale) if self.sums else None


def _check(call: Call) -> None:
    q, k, v = call[:3]
    arguments.tensors(q=q, k=k, v=v)
    if call.scale is not None:
        arguments.number("scale", call.scale)
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


_PLAIN = _Attention("attention", _GIVEN, sums=False)
_WITH_SUMS = _Attention("attention", _GIVEN, sums=True)
