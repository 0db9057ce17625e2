"""``hotloop::attention_packed``: attention of sequences of different lengths that lie one after the other."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from hotloop.dispatch import arguments, place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.choice import Choice
from hotloop.dispatch.operator import MaybeSums, Summed
from hotloop.dispatch.remembered import Answer
from hotloop.errors import BadArrayError, BadShapeError, UsageError
from hotloop.ops.tensors import attending, packing, peers
from hotloop.ops.tensors.packing import Packed
from hotloop.ops.tensors.peers import Sequences

FORM = 3
_GIVEN = (
    "Tensor q, Tensor k, Tensor v, Tensor starts_q, Tensor? starts_k, "
    "bool causal, float? scale, SymInt? longest_q, SymInt? longest_k"
)


class Call(NamedTuple):
    """The operators' arguments, in their order."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    starts_q: torch.Tensor
    starts_k: torch.Tensor | None
    causal: bool
    scale: float | None
    longest_q: int | None
    longest_k: int | None


def attention_packed(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, starts_q: torch.Tensor, starts_k: torch.Tensor | None = None, *,
    causal: bool = False, scale: float | None = None, longest_q: int | None = None, longest_k: int | None = None,
    return_lse: bool = False,
) -> MaybeSums:  # fmt: skip
    """Return attention of packed sequences; see `hotloop.ops.attention_packed`."""
    call = _call(q, k, v, starts_q, starts_k, bool(causal), scale, longest_q, longest_k)
    return (_WITH_SUMS if return_lse else _PLAIN)(call)


def explain(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, starts_q: torch.Tensor, starts_k: torch.Tensor | None = None, *,
    causal: bool = False, scale: float | None = None, longest_q: int | None = None, longest_k: int | None = None,
    return_lse: bool = False,
) -> Choice:  # fmt: skip
    """Return what `attention_packed` would run for the same arguments, and why."""
    call = _call(q, k, v, starts_q, starts_k, bool(causal), scale, longest_q, longest_k)
    return (_WITH_SUMS if return_lse else _PLAIN).explain(call)


def _call(*given: Any) -> Call:  # noqa: ANN401
    """Return a call without starts of the keys where they are those of the queries."""
    call = Call(*given)
    return call._replace(starts_k=None) if call.starts_k is call.starts_q else call


class _Attention(Summed[Call, Packed]):
    arguments = Call
    operands = 5

    def check(self, call: Call) -> None:
        _check(call)

    def key(self, call: Call) -> Hashable:
        """Leave out how many rows and sequences there are, but not whether they go together."""
        q, k, v, starts, starts_k = call[:5]
        other = starts if starts_k is None else starts_k
        together = k.shape == v.shape, starts.shape == other.shape, starts_k is not None or q.shape[:1] == k.shape[:1]
        rules = [(x.dtype, x.device, x.dim(), min(x.numel(), 2)) for x in (starts, other)]  # 0: an error
        fits = (
            _fits(call.longest_q, starts.numel() - 1, q.shape[0]),
            _fits(call.longest_k, starts.numel() - 1, k.shape[0]),
        )
        return (
            self.name,
            *map(_form, call[:3]),
            starts_k is None,
            call.longest_q == 1,
            together,
            *rules,
            *call[5:7],
            *fits,
        )

    def described(self, call: Call, *, gradient: bool) -> Packed:
        q, k, v, starts = call[:4]
        dtype, size = arguments.text(q.dtype), q.shape[2]
        loose = next((name for name, x in (("q", q), ("k", k), ("v", v)) if not arguments.readable(x)), "")
        empty = not q.numel() or not k.shape[0] or starts.shape[0] <= 1
        obstacle = attending.obstacle(dtype=dtype, size=size, empty=empty, scale=call.scale, loose=loose)
        if call.causal and call.starts_k is not None:
            obstacle = obstacle or packing.OWN_STARTS
        function = packing.FLASH if _flashes(call) else packing.EACH
        why = NO_GRADIENT if gradient else obstacle
        return Packed(q.shape[1], k.shape[1], size, dtype, bool(call.causal), function, call.longest_q == 1, why)

    def function(self, described: Packed) -> str:
        return described.function

    def choose(self, described: Packed, like: torch.Tensor) -> Choice:
        at = place.facts(like, "triton")
        device = at.device
        if at.obstacle:
            return packing.choose(replace(described, obstacle=described.obstacle or at.obstacle), device)
        return packing.choose(described, device)

    def run(self, call: Call, answer: Answer) -> MaybeSums:
        choice = answer.choice
        from hotloop.kernels.attention import launch

        given, (longest_q, longest_k) = _sequences(call), _longest(call)
        q, k, v, starts_q, starts_k, causal, scale = given
        o, sums = launch.attend_packed(
            q, k, v, starts_q, starts_k, longest_q, longest_k, causal=causal, scale=scale,
            want_lse=self.sums, config=attending.gluon(choice.config),
        )  # fmt: skip
        return self.made(o, sums)

    def own(self, call: Call) -> MaybeSums:
        return self.made(*_own(call, want_sums=self.sums))

    def peer(self, call: Call) -> MaybeSums:
        o, sums = _own(call, want_sums=self.sums)
        return self.made(arguments.alike(call.q, o), sums)

    def fake(self, call: Call) -> MaybeSums:
        q = call.q
        sums = q.new_empty((q.shape[1], q.shape[0]), dtype=peers.sums_dtype(q.dtype)) if self.sums else None
        return self.made(torch.empty_like(q), sums)


def _sequences(call: Call) -> Sequences:
    """Return the arguments without what only bounds them."""
    starts_q = call.starts_q.contiguous()
    starts_k = starts_q if call.starts_k is None else call.starts_k.contiguous()
    return Sequences(*call[:3], starts_q, starts_k, call.causal, call.scale)


def _check(call: Call) -> None:
    q, k, v, starts_q, starts_k = call[:5]
    arguments.tensors(q=q, k=k, v=v)
    if call.scale is not None:
        arguments.number("scale", call.scale)
    for name, one in (("q", q), ("k", k), ("v", v)):
        if one.dim() != FORM:
            raise BadArrayError(
                f"{name} has {one.dim()} dimensions; give [rows, heads, size], its shape is {tuple(one.shape)}."
            )
    if k.shape != v.shape or q.shape[2] != k.shape[2]:
        shapes = ", ".join(str(tuple(x.shape)) for x in (q, k, v))
        raise BadShapeError(f"q, k, v of {shapes} do not go together: the size must agree, and k and v in all.")
    if not k.shape[1] or q.shape[1] % k.shape[1]:
        raise BadShapeError(f"{q.shape[1]} heads of q are no multiple of {k.shape[1]} heads of k: give equal groups.")
    _check_starts("starts_q", starts_q, q)
    if starts_k is None:
        if q.shape[0] != k.shape[0]:
            raise BadShapeError(f"q has {q.shape[0]} rows and k has {k.shape[0]}: give starts_k too.")
    else:
        _check_starts("starts_k", starts_k, q)
        if starts_q.shape != starts_k.shape:
            raise BadShapeError(
                f"starts_q has {starts_q.shape[0]} elements and starts_k {starts_k.shape[0]}: give sequences + 1 of each."
            )
    for name, longest, rows in (("longest_q", call.longest_q, q.shape[0]), ("longest_k", call.longest_k, k.shape[0])):
        if longest is not None:
            arguments.whole(name, longest)
        if not _fits(longest, starts_q.shape[0] - 1, rows):
            raise BadShapeError(f"{name} is {longest}, too short for {rows} rows in {starts_q.shape[0] - 1} sequences.")


def _check_starts(name: str, starts: torch.Tensor, q: torch.Tensor) -> None:
    arguments.tensor(name, starts)
    if starts.dtype != torch.int32 or starts.device != q.device:
        raise BadArrayError(f"{name} is {arguments.text(starts.dtype)} on {starts.device}; give int32 on {q.device}.")
    if starts.dim() != 1 or not starts.shape[0]:
        raise BadShapeError(
            f"{name} has shape {tuple(starts.shape)}; give the first row of each sequence, and the end."
        )


def _form(x: torch.Tensor) -> tuple[object, ...]:
    """Return a tensor's form but for the number of its rows."""
    dtype, device, shape, steps, begin = arguments.form(x)
    return dtype, device, shape[1:], min(shape[0], 2), steps, begin


def _fits(longest: int | None, sequences: int, rows: int) -> bool:
    """Tell whether so many sequences can hold so many rows."""
    return longest is None or (longest >= 0 and longest * sequences >= rows)


def _flashes(call: Call) -> bool:
    return peers.flashes(*call[:3])


def _bounded(call: Call) -> bool:
    return call.longest_q is not None and (call.longest_k is not None or call.starts_k is None)


def _longest(call: Call) -> tuple[int, int]:
    """Return bounds of the lengths; where the caller gave none the starts are read, which waits for the device."""
    if _bounded(call):
        longest_q = call.longest_q or 0
        longest_k = longest_q if call.longest_k is None else call.longest_k
        return min(longest_q, call.q.shape[0]), min(longest_k, call.k.shape[0])
    ends_q, ends_k = _ends(call)
    return _most(ends_q), _most(ends_k)


def _most(ends: list[int]) -> int:
    return max((last - first for first, last in pairwise(ends)), default=0)


def _ends(call: Call) -> tuple[list[int], list[int]]:
    """Return the starts on the host, checked.

    Raises:
        BadArrayError: they do not describe the rows.
        UsageError: a CUDA graph is captured, which cannot wait.
    """
    q, k, _, starts_q, starts_k = call[:5]
    if _captured(q):
        raise UsageError("a CUDA graph is captured, so starts cannot be read: give longest_q= and longest_k=.")
    ends_q = _host("starts_q", starts_q, q.shape[0], call.longest_q)
    if starts_k is None:
        return ends_q, ends_q
    return ends_q, _host("starts_k", starts_k, k.shape[0], call.longest_k)


def _captured(x: torch.Tensor) -> bool:
    """Tell whether what is computed now becomes part of a CUDA graph, which cannot wait for the device."""
    return bool(x.is_cuda and torch.cuda.is_current_stream_capturing())


def _host(name: str, starts: torch.Tensor, rows: int, longest: int | None) -> list[int]:
    ends: list[int] = starts.tolist()
    if ends[0] != 0 or ends[-1] != rows or any(first > last for first, last in pairwise(ends)):
        raise BadArrayError(f"{name} must begin with 0, not fall, and end with the {rows} rows; it is {_some(ends)}.")
    if longest is not None and longest < _most(ends):
        raise BadShapeError(
            f"a sequence has {_most(ends)} rows by {name}, more than the longest of {longest} that was given."
        )
    return ends


def _some(ends: list[int]) -> str:
    shown = ", ".join(map(str, ends[:6]))
    return f"[{shown}]" if len(ends) <= 6 else f"[{shown}, … {ends[-1]}]"


def _own(call: Call, *, want_sums: bool) -> tuple[torch.Tensor, torch.Tensor | None]:
    given = _sequences(call)
    tracing = torch.compiler.is_compiling()
    # PyTorch's flash kernel has no derivative of the logarithms.
    plain = not (want_sums and arguments.wants_gradient(q=call.q, k=call.k, v=call.v))
    if plain and (_bounded(call) or not tracing) and call.q.numel() and call.k.shape[0] and _flashes(call):
        made, sums = peers.flash(given, *_longest(call))
        return made, sums if want_sums else None
    if tracing or _captured(call.q):  # neither can read where the sequences are
        return peers.masked(given, want_sums=want_sums)
    return peers.each(given, *_ends(call), want_sums=want_sums)


_PLAIN = _Attention("attention_packed", _GIVEN, sums=False)
_WITH_SUMS = _Attention("attention_packed", _GIVEN, sums=True)
