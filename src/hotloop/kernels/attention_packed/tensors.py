"""``hotloop::attention_packed``: attention of sequences of different lengths that lie one after the other."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from hotloop.dispatch import arguments, launch, place
from hotloop.dispatch.arguments import NO_GRADIENT, torch
from hotloop.dispatch.operator import MaybeSums, Summed
from hotloop.errors import BadArrayError, BadShapeError, UsageError
from hotloop.kernels.attention import choosing as attending
from hotloop.kernels.attention import pytorch
from hotloop.kernels.attention.gluon.plan import Steps, Strides
from hotloop.kernels.attention.pytorch import Sequences
from hotloop.kernels.attention_packed import choosing
from hotloop.kernels.attention_packed.choosing import Packed
from hotloop.kernels.attention_packed.gluon import plan
from hotloop.kernels.attention_packed.shape import Shape

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Choice
    from hotloop.dispatch.remembered import Answer
    from hotloop.model.program import Program

FORM = 3
_MOST_LAUNCHES = 1024
"""Programs that are kept ready, by numbers of rows and sequences; beyond, all are forgotten."""
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


def _call(*given: Any) -> Call:  # noqa: ANN401
    """Return a call without starts of the keys where they are those of the queries."""
    call = Call(*given)
    return call._replace(starts_k=None) if call.starts_k is call.starts_q else call


class _Attention(Summed[Call, Packed]):
    evens = True
    arguments = Call
    operands = 5

    def __init__(self, *, sums: bool) -> None:
        super().__init__("attention_packed", _GIVEN, sums=sums)
        self._launches: dict[Hashable, launch.Prepared] = {}

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
        named = (("q", q), ("k", k), ("v", v))
        loose = next(
            (name for name, x in named if x.stride(-1) != 1 or not (arguments.uneven(x) or arguments.readable(x))), ""
        )
        empty = not q.numel() or not k.shape[0] or starts.shape[0] <= 1
        obstacle = attending.obstacle(dtype=dtype, size=size, empty=empty, scale=call.scale, loose=loose)
        if call.causal and call.starts_k is not None:
            obstacle = obstacle or choosing.OWN_STARTS
        function = choosing.FLASH if _flashes(call) else choosing.EACH
        why = NO_GRADIENT if gradient else obstacle
        return Packed(q.shape[1], k.shape[1], size, dtype, bool(call.causal), function, call.longest_q == 1, why)

    def function(self, described: Packed) -> str:
        return described.function

    def choose(self, described: Packed, like: torch.Tensor) -> Choice:
        at = place.facts(like, "triton")
        device = at.device
        if at.obstacle:
            return choosing.choose(replace(described, obstacle=described.obstacle or at.obstacle), device)
        return choosing.choose(described, device)

    def run(self, call: Call, answer: Answer, made: MaybeSums | None = None) -> MaybeSums:
        """Launch a program for these numbers of rows and sequences, which change from call to call."""
        made, longest = self.fake(call) if made is None else made, _longest(call)
        arrays = self.arrays(call, made)
        aligned = tuple(arguments.aligned(arrays[name]) for name in ("starts_q", "starts_k"))
        shapes = tuple((x.shape, x.stride()) for x in (*call[:3], arrays["o"]))
        key = (
            answer.choice.config,
            shapes,
            call.starts_q.shape,
            *call[5:7],
            longest,
            aligned,
            call.q.dtype,
            call.q.device,
        )
        launches = self._launches.get(key)
        if launches is None:
            if len(self._launches) >= _MOST_LAUNCHES:
                self._launches.clear()
            program, device = self.program(call, answer.choice), answer.choice.device
            launches = self._launches[key] = launch.prepared(program, device, arrays)
        launches(arrays)
        return made

    def program(self, call: Call, choice: Choice) -> Program:
        q, k, v, starts = call[:4]
        longest_q, longest_k = _longest(call)
        shape = Shape(
            sequences=starts.shape[0] - 1, heads=q.shape[1], kv_heads=k.shape[1], longest_q=longest_q, longest_k=longest_k,
            rows_q=q.shape[0], rows_k=k.shape[0], size=q.shape[2], dtype=arguments.text(q.dtype), causal=bool(call.causal),
            lse=self.sums, scale=float(call.scale or 0.0),
        )  # fmt: skip
        strides = Strides(_steps(q), _steps(k), _steps(v), _steps(torch.empty_like(q), made=True))
        return plan.program(shape, strides, choice.config, choice.device)

    def arrays(self, call: Call, made: MaybeSums) -> dict[str, torch.Tensor]:
        given = _sequences(call)
        arrays = {"q": given.q, "k": given.k, "v": given.v, "starts_q": given.starts_q, "starts_k": given.starts_k}
        return arrays | ({"o": made} if isinstance(made, torch.Tensor) else {"o": made[0], "lse": made[1]})

    def own(self, call: Call) -> MaybeSums:
        return self.made(*_own(call, want_sums=self.sums))

    def peer(self, call: Call) -> MaybeSums:
        o, sums = _own(call, want_sums=self.sums)
        return self.made(arguments.alike(call.q, o), sums)

    def fake(self, call: Call) -> MaybeSums:
        q = call.q
        sums = q.new_empty((q.shape[1], q.shape[0]), dtype=pytorch.sums_dtype(q.dtype)) if self.sums else None
        return self.made(torch.empty_like(q), sums)


def _steps(x: torch.Tensor, *, made: bool = False) -> Steps:
    """Return the strides of [rows, heads, size] as [1, heads, rows, size]; an uneven operand has no gaps where kernels meet it."""
    even = made or not arguments.uneven(x)
    row, head, element = arguments.strides(x) if even else torch.empty(x.shape, device="meta").stride()
    return x.shape[1] * head, head, row, element


def _sequences(call: Call) -> Sequences:
    """Return the arguments without what only bounds them; uneven operands are copied, see `pytorch.attend`."""
    starts_q = call.starts_q.contiguous()
    starts_k = starts_q if call.starts_k is None else call.starts_k.contiguous()
    q, k, v = map(arguments.evened, call[:3])
    return Sequences(q, k, v, starts_q, starts_k, call.causal, call.scale)


def _check(call: Call) -> None:
    q, k, v, starts_q, starts_k = call[:5]
    arguments.tensors(q=q, k=k, v=v)
    if call.scale is not None:
        arguments.number("scale", call.scale)
    for name, tensor in (("q", q), ("k", k), ("v", v)):
        if tensor.dim() != FORM:
            raise BadArrayError(
                f"{name} has {tensor.dim()} dimensions; give [rows, heads, size], its shape is {tuple(tensor.shape)}."
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
    return pytorch.flashes(*call[:3])


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


def _differentiable(call: Call) -> bool:
    """Tell whether PyTorch's flash kernel has the derivatives that a call needs.

    It has none in forward mode. Of a part of the sequences it leaves the gradients of other rows as memory was.
    """
    few = call.starts_q.shape[0] - 1 <= pytorch.MOST_BLOCKS
    if any(map(arguments.has_tangent, call[:3])):
        return False
    return few or not arguments.wants_gradient(q=call.q, k=call.k, v=call.v)


def _own(call: Call, *, want_sums: bool) -> tuple[torch.Tensor, torch.Tensor | None]:
    given = _sequences(call)
    tracing = torch.compiler.is_compiling()
    # It has no derivative of the logarithms.
    plain = _differentiable(call) if not want_sums else not arguments.wants_gradient(q=call.q, k=call.k, v=call.v)
    if plain and (_bounded(call) or not tracing) and call.q.numel() and call.k.shape[0] and _flashes(call):
        made, sums = pytorch.flash(given, *_longest(call))
        return made, sums if want_sums else None
    if tracing or _captured(call.q):  # neither can read where the sequences are
        return pytorch.masked(given, want_sums=want_sums)
    return pytorch.each(given, *_ends(call), want_sums=want_sums)


_PLAIN = _Attention(sums=False)
_WITH_SUMS = _Attention(sums=True)


def attention_packed(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, starts_q: torch.Tensor, starts_k: torch.Tensor | None = None, *,
    causal: bool = False, scale: float | None = None, longest_q: int | None = None, longest_k: int | None = None,
    return_lse: bool = False,
) -> tuple[_Attention, Call]:  # fmt: skip
    """Return the operator and its arguments."""
    call = _call(q, k, v, starts_q, starts_k, bool(causal), scale, longest_q, longest_k)
    return _WITH_SUMS if return_lse else _PLAIN, call
