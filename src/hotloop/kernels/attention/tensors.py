"""``hotloop::attention``: attention forward with grouped queries and a causal mask."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hotloop.dispatch import arguments, place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.operator import MaybeSums, Summed
from hotloop.errors import BadArrayError, BadShapeError
from hotloop.kernels.attention import choosing, pytorch
from hotloop.kernels.attention.choosing import Attention
from hotloop.kernels.attention.general import plan as general
from hotloop.kernels.attention.gluon import plan as gluon
from hotloop.kernels.attention.triton import plan as triton

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Choice
    from hotloop.model.program import Program

FORM = 4
_GIVEN = "Tensor q, Tensor k, Tensor v, bool causal, float? scale, SymInt window, SymInt shift"


class Call(NamedTuple):
    """The operators' arguments, in their order."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    causal: bool
    scale: float | None
    window: int
    shift: int


class _Attention(Summed[Call, Attention]):
    evens = True
    arguments = Call
    operands = 3

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> Attention:
        q, k, v, causal, scale, window, shift = call
        shift = shift if causal or window else 0
        batch, heads, length_q, size = q.shape
        dtype, length_k = arguments.text(q.dtype), k.shape[2]
        named = (("q", q), ("k", k), ("v", v))
        loose = next((name for name, x in named if not (arguments.uneven(x) or arguments.readable(x))), "")
        apart = next((name for name, x in named if x.stride(-1) != 1 and size > 1), "")
        empty = not q.numel() or not length_k
        obstacle = choosing.obstacle(dtype=dtype, size=size, empty=empty, scale=scale, loose=apart)
        narrow = choosing.narrowness(size=size, loose=loose, window=window, shift=shift)
        padded = choosing.paddable(size=size, loose=loose, window=window, shift=shift)
        why = NO_GRADIENT if gradient else obstacle
        sizes = batch, heads, k.shape[1], length_q, length_k, size
        return Attention(*sizes, dtype, causal, shift, window, narrow, why, padded)

    def function(self, described: Attention) -> str:
        del described
        return choosing.FUNCTION

    def choose(self, described: Attention, like: torch.Tensor) -> Choice:
        at = place.facts(like, "triton")
        device = at.device
        if at.obstacle:
            return choosing.choose(replace(described, obstacle=described.obstacle or at.obstacle), device)
        return choosing.choose(described, device)

    def alternatives(self, described: Attention, like: torch.Tensor) -> tuple[Choice, ...]:
        at = place.facts(like, "triton")
        return () if at.obstacle else choosing.alternatives(described, at.device)

    def program(self, call: Call, choice: Choice) -> Program:
        q, k, v, _, scale, *_ = call
        described = self.described(call, gradient=False)
        shape = replace(described.shape, lse=self.sums, scale=float(scale or 0.0))
        lying = {"q": _steps(q), "k": _steps(k), "v": _steps(v), "o": _made(q)}
        if choice.implementation == choosing.GLUON:
            return gluon.program(shape, gluon.Strides(**lying), choice.config, choice.device)
        if choice.implementation == choosing.GENERAL:
            return general.program(shape, lying, choice.config, choice.device)
        return triton.program(shape, lying, choice.config, choice.device)

    def arrays(self, call: Call, made: MaybeSums) -> dict[str, torch.Tensor]:
        arrays = {"q": arguments.evened(call.q), "k": arguments.evened(call.k), "v": arguments.evened(call.v)}
        return arrays | ({"o": made} if isinstance(made, torch.Tensor) else {"o": made[0], "lse": made[1]})

    def lying(self, call: Call) -> dict[str, str]:
        return {} if any(map(arguments.uneven, call[:3])) else {"q": "q", "k": "k", "v": "v"}

    def own(self, call: Call) -> MaybeSums:
        return self.made(_attended(call), self._sums(call))

    def peer(self, call: Call) -> MaybeSums:
        return self.made(arguments.alike(call.q, _attended(call)), self._sums(call))

    def fake(self, call: Call) -> MaybeSums:
        q = call.q
        sums = q.new_empty(q.shape[:3], dtype=pytorch.sums_dtype(q.dtype)) if self.sums else None
        return self.made(torch.empty_like(q), sums)

    def _sums(self, call: Call) -> torch.Tensor | None:
        return pytorch.log_sums(call.q, call.k, _mask(call), scale=call.scale) if self.sums else None


def _mask(call: Call) -> pytorch.Mask:
    return pytorch.Mask(call.q.shape[2], call.k.shape[2], call.causal, call.shift, call.window, call.q.device)


def _attended(call: Call) -> torch.Tensor:
    """Return PyTorch's attention; a window, or a mask that begins elsewhere, is a matrix there."""
    if not call.q.numel():
        return call.q + (call.k[:0].sum() + call.v[:0].sum())  # nothing, of which there are gradients
    if not call.window and not (call.causal and call.shift):
        return pytorch.attend(*call[:3], causal=call.causal, scale=call.scale)
    mask = _mask(call)
    seen = ~mask.hidden(0, mask.length_q)
    made = pytorch.attend(*call[:3], causal=False, scale=call.scale, seen=seen)
    return torch.where(seen.any(1)[:, None], made, 0.0)  # a query that sees no key gives zeros


def _check(call: Call) -> None:
    q, k, v = call[:3]
    arguments.tensors(q=q, k=k, v=v)
    if call.scale is not None:
        arguments.number("scale", call.scale)
    for name, number in (("window", call.window), ("shift", call.shift)):
        arguments.whole(name, number)
    if call.window < 0:
        raise BadShapeError(
            f"window is {call.window}; give the number of keys that a query sees on one side, or 0 for all."
        )
    for name, tensor in (("q", q), ("k", k), ("v", v)):
        if tensor.dim() != FORM:
            raise BadArrayError(
                f"{name} has {tensor.dim()} dimensions; give [batch, heads, length, size], its shape is {tuple(tensor.shape)}."
            )
    if k.shape != v.shape or q.shape[0] != k.shape[0] or q.shape[3] != k.shape[3]:
        shapes = ", ".join(str(tuple(x.shape)) for x in (q, k, v))
        raise BadShapeError(f"q, k, v of {shapes} do not go together: batch and size must agree, and k and v in all.")
    if not k.shape[1] or q.shape[1] % k.shape[1]:
        raise BadShapeError(f"{q.shape[1]} heads of q are no multiple of {k.shape[1]} heads of k: give equal groups.")


_PLAIN = _Attention("attention", _GIVEN, sums=False)
_WITH_SUMS = _Attention("attention", _GIVEN, sums=True)


def _steps(x: torch.Tensor) -> gluon.Steps:
    """Return an operand's strides as kernels meet them: an uneven one has no gaps then."""
    batch, head, row, element = (
        torch.empty(x.shape, device="meta").stride() if arguments.uneven(x) else arguments.strides(x)
    )
    return batch, head, row, element


def _made(q: torch.Tensor) -> gluon.Steps:
    """Return the result's strides."""
    batch, head, row, element = arguments.strides(torch.empty_like(q, device="meta"))
    return batch, head, row, element


def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool = False, scale: float | None = None,
    window: int = 0, shift: int = 0, return_lse: bool = False,
) -> tuple[_Attention, Call]:  # fmt: skip
    """Return the operator and its arguments."""
    return _WITH_SUMS if return_lse else _PLAIN, Call(q, k, v, bool(causal), scale, window, shift)
